package io.isotail.monitor.otlp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** A receiver of OTLP over HTTP, which reads what it gets with OpenTelemetry's own classes. */
public final class LogReceiver implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HexFormat HEX = HexFormat.of();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<ExportLogsServiceRequest> taken = new CopyOnWriteArrayList<>();
  private final List<String> mistakes = new CopyOnWriteArrayList<>();
  private final List<Long> askedNs = new CopyOnWriteArrayList<>();
  private volatile Reply reply = Reply.of(200, "{}");

  /**
   * How a receiver answers.
   *
   * @param status of the response; 0 for no answer at all
   * @param body of the response
   * @param retryAfter header of the response, empty for none
   */
  public record Reply(int status, String body, String retryAfter) {
    /** Without a header. */
    public static Reply of(int status, String body) {
      return new Reply(status, body, "");
    }
  }

  /** At any free port. */
  public LogReceiver() throws IOException {
    this(0);
  }

  /** At this port. */
  public LogReceiver(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    askedNs.add(System.nanoTime());
    Reply now = reply;
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (now.status() == 0) {
      return; // and the connection stays open
    }
    if (now.status() == 200) {
      read(exchange, body);
    }
    byte[] answer = now.body().getBytes(StandardCharsets.UTF_8);
    if (!now.retryAfter().isEmpty()) {
      exchange.getResponseHeaders().add("Retry-After", now.retryAfter());
    }
    exchange.sendResponseHeaders(now.status(), answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private void read(HttpExchange exchange, byte[] body) {
    String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (!line.equals("POST /v1/logs") || !"application/json".equals(type)) {
      mistakes.add(line + " of " + type);
    }
    try {
      taken.add(parse(body));
    } catch (IOException | RuntimeException e) {
      mistakes.add(e + ": " + new String(body, StandardCharsets.UTF_8));
    }
  }

  /** Unknown fields are mistakes. OTLP has ids in hexadecimal, where protobuf's JSON has base64. */
  private static ExportLogsServiceRequest parse(byte[] body) throws IOException {
    JsonNode json = JSON.readTree(body);
    for (JsonNode record : json.findValues("logRecords")) {
      for (JsonNode each : record) {
        if (each.has("traceId")) {
          byte[] id = HEX.parseHex(each.path("traceId").asText());
          ((ObjectNode) each).put("traceId", Base64.getEncoder().encodeToString(id));
        }
      }
    }
    ExportLogsServiceRequest.Builder request = ExportLogsServiceRequest.newBuilder();
    try {
      JsonFormat.parser().merge(json.toString(), request);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
    return request.build();
  }

  /** What it answers from now on. */
  public void answer(Reply next) {
    reply = next;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Address without {@code /v1/logs}. */
  public String endpoint() {
    return "http://127.0.0.1:" + port();
  }

  /** When it was asked, as {@link System#nanoTime} tells it. */
  public List<Long> askedNs() {
    return List.copyOf(askedNs);
  }

  /** Requests that were taken. */
  public List<ExportLogsServiceRequest> taken() {
    if (!mistakes.isEmpty()) {
      throw new AssertionError(mistakes);
    }
    return List.copyOf(taken);
  }

  /** Events of all requests that were taken. */
  public List<LogRecord> events() {
    return taken().stream()
        .flatMap(request -> request.getResourceLogsList().stream())
        .flatMap(logs -> logs.getScopeLogsList().stream())
        .flatMap(logs -> logs.getLogRecordsList().stream())
        .toList();
  }

  /** Attributes by name, values as text. */
  public static Map<String, String> attributes(List<KeyValue> of) {
    return of.stream()
        .collect(
            Collectors.toMap(
                KeyValue::getKey,
                each -> text(each.getValue()),
                (one, other) -> {
                  throw new AssertionError("told twice: " + one + ", " + other);
                },
                TreeMap::new));
  }

  private static String text(AnyValue value) {
    return value.hasArrayValue()
        ? value.getArrayValue().getValuesList().stream()
            .map(AnyValue::getStringValue)
            .collect(Collectors.joining(","))
        : value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue();
  }

  /** Waits for something for half a minute at most. */
  public static void await(String what, BooleanSupplier holds) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("waited in vain: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
