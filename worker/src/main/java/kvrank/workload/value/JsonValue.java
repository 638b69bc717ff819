package kvrank.workload.value;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import kvrank.workload.random.CounterRandom;

/**
 * A nested JSON document of exactly the drawn size: an id, the version, a time, random data, tags
 * with a score, an array of up to ten nested objects, and a string that fills the rest.
 */
public final class JsonValue extends Value {

  private static final int FIELDS = 10;
  private static final int TOKEN_DIGITS = 16;

  /** The first document's time, in milliseconds; each record is a second later. */
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;

  private static final byte[] ID = ascii("{\"id\":");
  private static final byte[] VERSION = ascii(",\"version\":\"");
  private static final byte[] TIMESTAMP = ascii("\",\"timestamp\":");
  private static final byte[] DATA = ascii(",\"data\":\"");
  private static final byte[] TAGS = ascii("\",\"metadata\":{\"tags\":[\"");
  private static final byte[] NEXT_TAG = ascii("\",\"");
  private static final byte[] SCORE = ascii("\"],\"score\":");
  private static final byte[] NESTED = ascii("},\"nested\":[");
  private static final byte[] FIELD = ascii("{\"field\":");
  private static final byte[] FIELD_VALUE = ascii(",\"value\":\"");
  private static final byte[] FIELD_END = ascii("\",\"active\":true}");
  private static final byte[] PADDING = ascii(",\"padding\":\"");
  private static final byte[] BARE_PADDING = ascii("\",\"padding\":\"");
  private static final byte[] END = ascii("\"}");

  /** The text after the array: its end, the empty padding, the document's end. */
  private static final int CLOSING = 1 + PADDING.length + END.length;

  private final byte[] text;
  private final int places;
  private final byte[] document;
  private int size;
  private int length;

  public JsonValue(
      ValueShape shape, ValueSizes.Lengths lengths, long key, byte[] text, int places) {
    super(shape, lengths, key);
    this.text = text;
    this.places = places;
    this.document = new byte[shape.sizes().max()];
  }

  private static byte[] ascii(String characters) {
    return characters.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  void make(long id, long token) {
    CounterRandom draws = draws(id, token);
    size = drawSize(id, draws);
    length = 0;
    put(ID);
    number(id);
    put(VERSION);
    hexadecimal(token);
    int data = size / 10;
    int body = TIMESTAMP.length + 13 + DATA.length + data + TAGS.length + SCORE.length + 60;
    if (length + body + NESTED.length + CLOSING <= size) {
      body(id, data, draws);
      put(PADDING);
    } else {
      put(BARE_PADDING);
    }
    text(size - length - END.length, draws);
    put(END);
  }

  private void body(long id, int data, CounterRandom draws) {
    put(TIMESTAMP);
    number((EPOCH_MILLIS + id * 1000) % 10_000_000_000_000L);
    put(DATA);
    text(data, draws);
    put(TAGS);
    text(8, draws);
    put(NEXT_TAG);
    text(8, draws);
    put(NEXT_TAG);
    text(8, draws);
    put(SCORE);
    number(draws.nextBelow(1000));
    put(NESTED);
    int value = size / 50 + 4;
    int room = 1 + FIELD.length + 1 + FIELD_VALUE.length + value + FIELD_END.length;
    for (int i = 0; i < FIELDS && length + room + CLOSING <= size; i++) {
      if (i > 0) {
        document[length++] = ',';
      }
      put(FIELD);
      number(i);
      put(FIELD_VALUE);
      text(value, draws);
      put(FIELD_END);
    }
    document[length++] = ']';
  }

  private void put(byte[] part) {
    System.arraycopy(part, 0, document, length, part.length);
    length += part.length;
  }

  private void text(int characters, CounterRandom draws) {
    System.arraycopy(text, (int) draws.nextBelow(places), document, length, characters);
    length += characters;
  }

  private void number(long number) {
    int end = length + digits(number);
    long rest = number;
    for (int i = end - 1; i >= length; i--) {
      document[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length = end;
  }

  private static int digits(long number) {
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private void hexadecimal(long number) {
    for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
      document[length++] = (byte) Character.forDigit((int) (number >>> shift) & 15, 16);
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(document, 0, target, offset, size);
  }

  @Override
  public void copyTo(ByteBuffer target) {
    target.put(document, 0, size);
  }

  @Override
  public boolean matches(byte[] bytes, int from, int to, long id) {
    int start = from + ID.length + digits(id) + VERSION.length;
    if (to < start + TOKEN_DIGITS) {
      return false;
    }
    long token = 0;
    for (int i = start; i < start + TOKEN_DIGITS; i++) {
      token = token << 4 | (Character.digit(bytes[i], 16) & 15);
    }
    setToken(id, token);
    return Arrays.equals(bytes, from, to, document, 0, size);
  }
}
