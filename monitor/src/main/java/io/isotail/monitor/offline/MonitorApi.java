package io.isotail.monitor.offline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.reach.Cause;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.terminal.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Asks a running monitor over HTTP. Each question ends within seconds. */
final class MonitorApi {
  private static final Duration CONNECT = Duration.ofSeconds(3);

  /** A monitor that looks older anomalies up in the topic takes up to ten seconds. */
  private static final Duration ANSWER = Duration.ofSeconds(15);

  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;
  private static final int OK = 200;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI base;
  private final @Nullable String authorization;
  private final HttpClient client;

  /**
   * Asks nothing yet.
   *
   * @param base address of the monitor, without a path or with the one that a proxy adds
   * @param trusted what certificates to trust, null for those that Java trusts
   */
  MonitorApi(URI base, @Nullable Login login, @Nullable SSLContext trusted) {
    this.base = base;
    this.authorization = login == null ? null : login.header();
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    this.client = (trusted == null ? builder : builder.sslContext(trusted)).build();
  }

  /** Who asks. */
  record Login(String user, String password) {
    private String header() {
      byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
      return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    /** Without the password. */
    @Override
    public String toString() {
      return "Login[user=" + user + "]";
    }
  }

  URI base() {
    return base;
  }

  /** The anomaly's document, empty if the monitor does not keep one of this id. */
  Optional<JsonNode> anomaly(String id) throws ResolveException, InterruptedException {
    return get("/api/anomalies/" + segment(id));
  }

  /** The cause's document, empty if the monitor does not know it. */
  Optional<JsonNode> cause(String id) throws ResolveException, InterruptedException {
    return get("/api/causes/" + segment(id));
  }

  /** Where the monitor and all histories stand. */
  Optional<JsonNode> status() throws ResolveException, InterruptedException {
    return get("/api/status");
  }

  private static String segment(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private Optional<JsonNode> get(String path) throws ResolveException, InterruptedException {
    URI uri = URI.create(base.toString().replaceAll("/+$", "") + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(ANSWER);
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    HttpResponse<InputStream> response;
    byte[] body;
    try {
      response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream in = response.body()) {
        body = in.readNBytes(InputFiles.MAX_BYTES);
      }
    } catch (IOException e) {
      throw new ResolveException(
          "no monitor answers at %s: %s; expected one there, or its address in --url"
              .formatted(base, Printable.escaped(Cause.of(e))),
          e);
    }
    return document(uri, response.statusCode(), body);
  }

  private Optional<JsonNode> document(URI uri, int status, byte[] body) throws ResolveException {
    if (status == UNAUTHORIZED) {
      throw new ResolveException(
          authorization == null
              ? "the monitor at %s asks for a user and a password; expected --user, and --password-file or ISOTAIL_HTTP_PASSWORD"
                  .formatted(base)
              : "the monitor at %s refuses this user or password; expected those of http.user and http.password"
                  .formatted(base));
    }
    JsonNode json = null;
    try {
      json = JSON.readTree(new String(body, StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      // Said below.
    }
    if (json == null || !json.isObject()) {
      throw new ResolveException(
          "%s answered %d and no JSON object; is this an isotail monitor?".formatted(uri, status));
    }
    if (status == NOT_FOUND) {
      return Optional.empty();
    }
    if (status != OK) {
      throw new ResolveException(
          "%s answered %d: %s"
              .formatted(uri, status, Printable.escaped(json.path("error").asText("no reason"))));
    }
    return Optional.of(json);
  }
}
