package kvrank.binding.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertPathBuilderException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLProtocolException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS to a server, whose certificate must be valid for its host name.
 *
 * @param authorities a PEM file with the certificates of trusted authorities; empty for those that
 *     the JVM trusts
 * @param certificate a PEM file with the client's certificate, and those between it and an
 *     authority; empty if the server requires none
 * @param key a PEM file with its private key: PKCS #8, or PKCS #1 for RSA, without a password
 */
public record Tls(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {

  /** The start of a PKCS #8 structure of an RSA key, after its length: version and algorithm. */
  private static final byte[] RSA = HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END");

  /** TLS without a client's certificate. */
  public Tls(Optional<Path> authorities) {
    this(authorities, Optional.empty(), Optional.empty());
  }

  /**
   * Makes the handshake over an existing connection and returns the encrypted socket.
   *
   * @throws IOException if the server is not trusted or does not speak TLS
   */
  public Socket over(Socket plain, String host, int port) throws IOException {
    String name = host.replaceAll("[\\[\\]]", "");
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trusted =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(authorities.isPresent() ? store(authorities.get()) : null);
      context.init(identity(), trusted.getTrustManagers(), null);
      SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket;
    } catch (GeneralSecurityException e) {
      throw new HandshakeException(e.getMessage(), e);
    } catch (SSLException | EOFException | SocketTimeoutException e) {
      throw new HandshakeException(reason(e, name), e);
    }
  }

  /** Returns whether {@link #over} threw {@code failure}. */
  public static boolean failed(IOException failure) {
    return failure instanceof HandshakeException;
  }

  private static final class HandshakeException extends IOException {

    private static final long serialVersionUID = 1L;

    HandshakeException(String reason, Exception cause) {
      super("TLS: " + reason, cause);
    }
  }

  /** Returns the reason why the handshake failed, for users. */
  private String reason(IOException failure, String host) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (root instanceof CertPathBuilderException) {
      return authorities
          .map("no authority in '%s' vouches for its certificate"::formatted)
          .orElse(
              "no authority that this JVM trusts vouches for its certificate; 'ca: FILE' names"
                  + " one");
    }
    if (root instanceof CertificateExpiredException) {
      return "its certificate has expired: " + root.getMessage();
    }
    if (root instanceof CertificateException) {
      return "its certificate is not valid for '%s': %s".formatted(host, root.getMessage());
    }
    if (root instanceof SSLProtocolException || root instanceof SSLHandshakeException) {
      return root.getMessage();
    }
    return "it does not speak TLS at this port";
  }

  /** Returns the client's certificate with its key; null without one. */
  private KeyManager[] identity() throws IOException, GeneralSecurityException {
    if (certificate.isEmpty() || key.isEmpty()) {
      return null;
    }
    List<Certificate> chain = certificates(certificate.get());
    char[] none = {};
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try {
      store.setKeyEntry(
          "client",
          privateKey(key.get(), chain.get(0).getPublicKey().getAlgorithm()),
          none,
          chain.toArray(new Certificate[0]));
    } catch (InvalidKeySpecException e) {
      throw new IOException(
          "'%s' contains no key of the certificate '%s'".formatted(key.get(), certificate.get()),
          e);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, none);
    return keys.getKeyManagers();
  }

  private static PrivateKey privateKey(Path file, String algorithm)
      throws IOException, GeneralSecurityException {
    Matcher pem = KEY.matcher(Files.readString(file, ISO_8859_1));
    if (!pem.find()) {
      throw new IOException(
          "'%1$s' contains no private key without a password; to convert one: openssl pkcs8 -topk8 -nodes -in '%1$s'"
              .formatted(file));
    }
    byte[] bytes = Base64.getMimeDecoder().decode(pem.group(2));
    return KeyFactory.getInstance(algorithm)
        .generatePrivate(new PKCS8EncodedKeySpec(pem.group(1) == null ? bytes : wrapped(bytes)));
  }

  /** Returns a PKCS #1 key as PKCS #8 (RFC 5208, section 5). */
  private static byte[] wrapped(byte[] key) {
    byte[] string = element(4, key);
    byte[] content = Arrays.copyOf(RSA, RSA.length + string.length);
    System.arraycopy(string, 0, content, RSA.length, string.length);
    return element(0x30, content);
  }

  /** Returns a DER element with a length of two bytes, as that of every RSA key. */
  private static byte[] element(int tag, byte[] content) {
    return ByteBuffer.allocate(4 + content.length)
        .put((byte) tag)
        .put((byte) 0x82)
        .putShort((short) content.length)
        .put(content)
        .array();
  }

  private static KeyStore store(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int number = 0;
    for (Certificate authority : certificates(file)) {
      store.setCertificateEntry("ca-" + number++, authority);
    }
    return store;
  }

  /** Returns the certificates in a file, at least one. */
  private static List<Certificate> certificates(Path file) throws IOException {
    List<Certificate> certificates;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      certificates = List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
    } catch (CertificateException e) {
      throw new IOException("'%s' contains an invalid certificate".formatted(file), e);
    }
    if (certificates.isEmpty()) {
      throw new IOException("'%s' contains no certificate".formatted(file));
    }
    return certificates;
  }
}
