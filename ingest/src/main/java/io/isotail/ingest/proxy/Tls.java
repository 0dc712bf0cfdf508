package io.isotail.ingest.proxy;

import io.isotail.ingest.proxy.ProxyConfig.UpstreamTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS with clients and with the server. Safe for any thread; connections keep what they began with
 * when {@link #reload} takes other files over.
 */
final class Tls {
  /** What clients that begin with TLS at once must say they want. */
  static final String PROTOCOL = "postgresql";

  private final Vertx vertx;
  private final ProxyConfig config;
  private volatile @Nullable SslContext ofClients;
  private final @Nullable SslContext ofServer;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException when one cannot be used
   */
  Tls(Vertx vertx, ProxyConfig config) {
    this.vertx = vertx;
    this.config = config;
    this.ofServer = ofServer(vertx, config);
    reload();
  }

  /**
   * Takes the certificate and the key as they are now.
   *
   * @throws IllegalArgumentException when they cannot be used; then those of before are kept
   */
  void reload() {
    ProxyConfig.Certificate certificate = config.clientTls();
    if (certificate == null) {
      return;
    }
    try {
      PemKeyCertOptions files =
          new PemKeyCertOptions()
              .setCertPath(certificate.chain().toAbsolutePath().toString())
              .setKeyPath(certificate.key().toAbsolutePath().toString());
      KeyManagerFactory keys = files.getKeyManagerFactory(vertx);
      requirePair(keys);
      ofClients =
          SslContextBuilder.forServer(keys)
              .sslProvider(SslProvider.JDK)
              .applicationProtocolConfig(
                  new ApplicationProtocolConfig(
                      Protocol.ALPN,
                      SelectorFailureBehavior.NO_ADVERTISE,
                      SelectedListenerFailureBehavior.ACCEPT,
                      PROTOCOL))
              .build();
    } catch (Exception e) {
      throw new IllegalArgumentException(
          "%s and %s cannot be used: %s"
              .formatted(certificate.chain(), certificate.key(), message(e)),
          e);
    }
  }

  private static void requirePair(KeyManagerFactory keys) {
    for (KeyManager manager : keys.getKeyManagers()) {
      if (manager instanceof X509KeyManager pairs) {
        for (String algorithm : List.of("RSA", "EC")) {
          String[] aliases = pairs.getServerAliases(algorithm, null);
          for (String alias : aliases == null ? new String[0] : aliases) {
            if (KeyPair.belong(pairs.getCertificateChain(alias)[0], pairs.getPrivateKey(alias))) {
              return;
            }
          }
        }
      }
    }
    throw new IllegalArgumentException("the key is not that of the first certificate");
  }

  /** Whether clients may ask for TLS. */
  boolean isOffered() {
    return ofClients != null;
  }

  /** A new handler for a client. */
  SslHandler clientHandler(ByteBufAllocator allocator) {
    return Objects.requireNonNull(ofClients).newHandler(allocator);
  }

  /** How the server is reached. */
  UpstreamTls upstream() {
    return config.upstreamTls();
  }

  /** A new handler for the server. */
  SslHandler serverHandler(ByteBufAllocator allocator) {
    ProxyConfig.Address server = config.upstream();
    return Objects.requireNonNull(ofServer).newHandler(allocator, server.host(), server.port());
  }

  private static @Nullable SslContext ofServer(Vertx vertx, ProxyConfig config) {
    UpstreamTls tls = config.upstreamTls();
    if (tls == UpstreamTls.DISABLE) {
      return null;
    }
    Path ca = config.upstreamCa();
    try {
      SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
      if (ca == null || tls == UpstreamTls.PREFER) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      } else {
        builder.trustManager(
            new PemTrustOptions()
                .addCertPath(ca.toAbsolutePath().toString())
                .getTrustManagerFactory(vertx));
      }
      return builder
          .endpointIdentificationAlgorithm(tls == UpstreamTls.VERIFY_FULL ? "HTTPS" : null)
          .build();
    } catch (Exception e) {
      throw new IllegalArgumentException("%s cannot be used: %s".formatted(ca, message(e)), e);
    }
  }

  /** What went wrong, from the depth of what was thrown. */
  static String message(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause.getMessage() == null || cause instanceof SSLException)) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
