package kvrank.binding;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS to a server whose certificate has to be of its host.
 *
 * @param authorities a file of the certificates, in PEM, that vouch for it; empty for those that
 *     the JVM trusts
 */
public record Tls(Optional<Path> authorities) {

  /**
   * Shakes hands over a connection that is there, and returns what to speak through.
   *
   * @throws IOException if the server is not trusted, or does not speak TLS
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
    }
  }

  private static KeyStore store(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + number++, each);
      }
    }
    return store;
  }
}
