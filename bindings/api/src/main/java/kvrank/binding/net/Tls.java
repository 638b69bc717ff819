package kvrank.binding.net;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.util.Optional;
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
 */
public record Tls(Optional<Path> authorities) {

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
      context.init(null, trusted.getTrustManagers(), null);
      SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS: " + e.getMessage(), e);
    } catch (SSLException | EOFException | SocketTimeoutException e) {
      throw new IOException("TLS: " + reason(e, name), e);
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

  private static KeyStore store(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      int number = 0;
      for (Certificate authority :
          CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + number++, authority);
      }
    } catch (CertificateException e) {
      throw new IOException("'%s' contains an invalid certificate".formatted(file), e);
    }
    if (store.size() == 0) {
      throw new IOException("'%s' contains no certificate".formatted(file));
    }
    return store;
  }
}
