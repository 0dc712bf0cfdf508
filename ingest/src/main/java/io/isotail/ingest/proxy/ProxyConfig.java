package io.isotail.ingest.proxy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a proxy listens, what is behind it, and its bounds.
 *
 * @param listen where clients connect; port 0 takes any free one
 * @param upstream the server
 * @param clientTls what the proxy proves itself with to clients; null when it refuses TLS, as a
 *     server without a certificate does
 * @param upstreamTls how the server is reached
 * @param upstreamCa PEM file of who may have signed the server's certificate; null for none
 * @param secrets file of the users whose login the proxy takes itself; null for none
 * @param mostConnections clients at once; what comes beyond is refused
 * @param startMs what a client may take for its start-up message, and the server to be reached, in
 *     ms
 * @param waitingBytes bytes that may wait for a slow side before the other one is not read
 * @param workers threads for what may wait
 * @param eventLoops threads that read and write connections; each connection is of one of them
 */
public record ProxyConfig(
    Address listen,
    Address upstream,
    @Nullable Certificate clientTls,
    UpstreamTls upstreamTls,
    @Nullable Path upstreamCa,
    @Nullable Path secrets,
    int mostConnections,
    int startMs,
    int waitingBytes,
    int workers,
    int eventLoops) {

  /** Clients at once unless configured otherwise. */
  public static final int DEFAULT_CONNECTIONS = 10_000;

  /** Time for the start-up unless configured otherwise, in ms. */
  public static final int DEFAULT_START_MS = 30_000;

  /** Bytes that may wait for a slow side unless configured otherwise. */
  public static final int DEFAULT_WAITING_BYTES = 256 * 1024;

  /** Threads for what may wait unless configured otherwise. */
  public static final int DEFAULT_WORKERS = 16;

  /** Checks the bounds: each is at least 1. */
  public ProxyConfig {
    requirePositive("mostConnections", mostConnections);
    requirePositive("startMs", startMs);
    requirePositive("waitingBytes", waitingBytes);
    requirePositive("workers", workers);
    requirePositive("eventLoops", eventLoops);
    boolean verifies =
        upstreamTls == UpstreamTls.VERIFY_CA || upstreamTls == UpstreamTls.VERIFY_FULL;
    if (verifies && upstreamCa == null) {
      throw new IllegalArgumentException(
          "upstreamTls=%s without upstreamCa; expected a file of certificates"
              .formatted(upstreamTls.label()));
    }
  }

  /**
   * Event loops unless configured otherwise: one for each processor where statements are read and
   * followed. Bytes that only go through leave half of the processors to others: a loop that always
   * has something to do is seldom woken, and waking costs more than moving a message.
   */
  public static int defaultEventLoops(boolean captures) {
    int processors = Runtime.getRuntime().availableProcessors();
    return captures ? processors : Math.max(1, processors / 2);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + "=" + value + "; expected at least 1");
    }
  }

  /** A configuration with defaults: no TLS, no secrets. */
  public static ProxyConfig of(Address listen, Address upstream) {
    return new ProxyConfig(
        listen,
        upstream,
        null,
        UpstreamTls.DISABLE,
        null,
        null,
        DEFAULT_CONNECTIONS,
        DEFAULT_START_MS,
        DEFAULT_WAITING_BYTES,
        DEFAULT_WORKERS,
        defaultEventLoops(true));
  }

  /** A copy with TLS towards clients. */
  public ProxyConfig withClientTls(Certificate certificate) {
    return new ProxyConfig(
        listen,
        upstream,
        certificate,
        upstreamTls,
        upstreamCa,
        secrets,
        mostConnections,
        startMs,
        waitingBytes,
        workers,
        eventLoops);
  }

  /** A copy with another way to reach the server. */
  public ProxyConfig withUpstreamTls(UpstreamTls tls, @Nullable Path ca) {
    return new ProxyConfig(
        listen,
        upstream,
        clientTls,
        tls,
        ca,
        secrets,
        mostConnections,
        startMs,
        waitingBytes,
        workers,
        eventLoops);
  }

  /** A copy with a file of secrets. */
  public ProxyConfig withSecrets(Path file) {
    return new ProxyConfig(
        listen,
        upstream,
        clientTls,
        upstreamTls,
        upstreamCa,
        file,
        mostConnections,
        startMs,
        waitingBytes,
        workers,
        eventLoops);
  }

  /** A copy with other bounds. */
  public ProxyConfig withBounds(int connections, int start) {
    return new ProxyConfig(
        listen,
        upstream,
        clientTls,
        upstreamTls,
        upstreamCa,
        secrets,
        connections,
        start,
        waitingBytes,
        workers,
        eventLoops);
  }

  /**
   * A host and a port.
   *
   * @param host name or address
   * @param port 0 to 65535
   */
  public record Address(String host, int port) {
    private static final int MOST_PORT = 65_535;

    /**
     * Reads {@code HOST:PORT}; an IPv6 address stands in brackets.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static Address parse(String text) {
      int colon = text.lastIndexOf(':');
      String host = colon < 0 ? "" : text.substring(0, colon);
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      String bare = bracketed ? host.substring(1, host.length() - 1) : host;
      String digits = text.substring(colon + 1);
      if (bare.isEmpty()
          || (bare.contains(":") && !bracketed)
          || !bare.matches("[A-Za-z0-9._:%-]+")
          || !digits.matches("\\d{1,5}")
          || Integer.parseInt(digits) > MOST_PORT) {
        throw new IllegalArgumentException(
            "expected HOST:PORT as in db:5432, 127.0.0.1:6432 or [::1]:6432");
      }
      return new Address(bare, Integer.parseInt(digits));
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /**
   * What a proxy proves itself with. Both files are read at the start and whenever the proxy is
   * told to.
   *
   * @param chain PEM file of its certificate, then of those that signed it
   * @param key PEM file of the private key, not encrypted
   */
  public record Certificate(Path chain, Path key) {}

  /** How the server is reached; the words are those of PostgreSQL's {@code sslmode}. */
  public enum UpstreamTls {
    /** In clear. */
    DISABLE,

    /** With TLS if the server has it, whoever it is; else in clear. */
    PREFER,

    /** With TLS; whoever the server is, unless there is a file of certificates. */
    REQUIRE,

    /** With TLS, to a server whose certificate one of the file's has signed. */
    VERIFY_CA,

    /** As {@link #VERIFY_CA}, and the certificate names the host. */
    VERIFY_FULL;

    /** Its word in settings: {@code verify-full}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The one with this word.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static UpstreamTls ofLabel(String label) {
      return Arrays.stream(values())
          .filter(tls -> tls.label().equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "expected one of "
                          + Arrays.stream(values())
                              .map(UpstreamTls::label)
                              .collect(Collectors.joining(", "))));
    }
  }
}
