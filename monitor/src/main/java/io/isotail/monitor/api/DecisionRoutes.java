package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.store.Archive;
import io.isotail.monitor.store.CauseStore;
import io.isotail.monitor.store.Decision;
import io.isotail.monitor.store.Decisions;
import io.isotail.monitor.store.StoredCause;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acknowledges and mutes causes: the only thing that is changed over HTTP. It takes a login, and a
 * header that no page of another site can make a browser send.
 */
final class DecisionRoutes {
  private static final Logger log = LoggerFactory.getLogger(DecisionRoutes.class);
  private static final String PATH = "/api/causes/:id/decision";
  private static final String HEADER = "X-Isotail";
  private static final String HEADER_VALUE = "decision";
  private static final int MOST_BYTES = 8_192;
  private static final int MOST_NOTE = 1_000;
  private static final int MOST_LINK = 500;
  private static final int MOST_NAME = 100;
  private static final Duration LONGEST_MUTE = Duration.ofDays(30);
  private static final long TIMEOUT_S = 10;
  private static final String WORKER = "isotail-decisions";
  private static final int THREADS = 2;
  private static final int MOST_WRITES = 8;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final MonitorConfig.Http http;
  private final CauseStore store;
  private final Archive archive;
  private final Decisions decisions;
  private final AtomicInteger writes = new AtomicInteger();

  DecisionRoutes(MonitorConfig.Http http, CauseStore store, Archive archive, Decisions decisions) {
    this.http = http;
    this.store = store;
    this.archive = archive;
    this.decisions = decisions;
  }

  /**
   * Adds the routes. What they decide is kept by threads of their own: while the broker hangs, none
   * is taken from those who ask for metrics. They end with {@code vertx}.
   */
  void addTo(Vertx vertx, Router router) {
    WorkerExecutor worker = vertx.createSharedWorkerExecutor(WORKER, THREADS);
    router.route(PATH).handler(this::requireRight);
    router.route(PATH).handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES));
    router.route(PATH).handler(c -> decide(worker, c)).failureHandler(DecisionRoutes::failed);
  }

  private static void failed(RoutingContext context) {
    if (context.statusCode() == 413) {
      Replies.error(context, 413, "the body; expected at most %d bytes".formatted(MOST_BYTES));
    } else {
      context.next();
    }
  }

  private void requireRight(RoutingContext context) {
    HttpMethod method = context.request().method();
    if (!method.equals(HttpMethod.PUT) && !method.equals(HttpMethod.DELETE)) {
      context.response().putHeader("Allow", "PUT, DELETE");
      Replies.error(context, 405, "method %s; expected PUT or DELETE".formatted(method));
    } else if (http.login() == null) {
      Replies.error(
          context,
          403,
          "nobody is known here; expected http.user to be set, so that not everybody"
              + " who reaches this port may mute");
    } else if (!HEADER_VALUE.equals(context.request().getHeader(HEADER))) {
      Replies.error(
          context,
          403,
          "expected the header %s: %s, which other sites cannot send"
              .formatted(HEADER, HEADER_VALUE));
    } else if (!isOwn(context, context.request().getHeader(HttpHeaders.ORIGIN))) {
      Replies.error(context, 403, "the page is of another site; expected this monitor's own");
    } else {
      context.next();
    }
  }

  /** Whether the page that asks is this monitor's; programs tell no origin. */
  private boolean isOwn(RoutingContext context, @Nullable String origin) {
    if (origin == null) {
      return true;
    }
    String publicUrl = http.publicUrl();
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null
          && (authority.equals(String.valueOf(context.request().authority()))
              || (publicUrl != null && authority.equals(URI.create(publicUrl).getRawAuthority())));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void decide(WorkerExecutor worker, RoutingContext context) {
    String id = context.pathParam("id");
    if (context.request().method().equals(HttpMethod.DELETE)) {
      write(
          worker,
          context,
          () -> decisions.lift(id),
          () -> context.response().setStatusCode(204).end());
      return;
    }
    Archived.find(
        context, "cause", store.find(id), archive::cause, cause -> decide(worker, context, cause));
  }

  private void decide(WorkerExecutor worker, RoutingContext context, StoredCause cause) {
    String type = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !type.startsWith("application/json")) {
      Replies.error(context, 415, "Content-Type %s; expected application/json".formatted(type));
      return;
    }
    Decision decision;
    try {
      Buffer body = context.body().buffer();
      decision = decision(cause, JSON.readTree(body == null ? new byte[0] : body.getBytes()));
    } catch (IOException e) {
      Replies.error(context, 400, "the body is not JSON; expected {\"state\":\"muted\",…}");
      return;
    } catch (IllegalArgumentException e) {
      Replies.error(context, 400, String.valueOf(e.getMessage()));
      return;
    }
    write(
        worker,
        context,
        () -> decisions.decide(decision),
        () -> {
          log.info(
              "cause {} of history {} is {} by {}: {}",
              cause.id(),
              cause.history(),
              decision.state().label(),
              decision.by(),
              decision.note());
          Replies.json(context, 200, decision.json());
        });
  }

  private Decision decision(StoredCause cause, JsonNode asked) {
    String state = text(asked, "state", MOST_NAME);
    Decision.State decided =
        Decision.State.of(state)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "state=%s; expected acknowledged or muted".formatted(state)));
    String link = text(asked, "link", MOST_LINK);
    if (!link.isEmpty() && !link.matches("https?://[^\\s\"'<>]+")) {
      throw new IllegalArgumentException(
          "link=%s; expected an address that begins with https:// or http://".formatted(link));
    }
    String by = text(asked, "by", MOST_NAME);
    MonitorConfig.Login login = http.login();
    long nowMs = System.currentTimeMillis();
    return new Decision(
        cause.id(),
        cause.history(),
        decided,
        until(asked, decided, nowMs),
        text(asked, "note", MOST_NOTE),
        link,
        by.isEmpty() && login != null ? login.user() : by,
        nowMs);
  }

  private static long until(JsonNode asked, Decision.State state, long nowMs) {
    String until = text(asked, "until", MOST_NAME);
    if (until.isEmpty() && state == Decision.State.ACKNOWLEDGED) {
      return Decision.NO_END;
    }
    String expected =
        "until=%s; expected a time like %s, within %d days"
            .formatted(
                until,
                Instant.ofEpochMilli(nowMs + TimeUnit.HOURS.toMillis(8)),
                LONGEST_MUTE.toDays());
    try {
      long untilMs = Instant.parse(until).toEpochMilli();
      if (untilMs > nowMs && untilMs <= nowMs + LONGEST_MUTE.toMillis()) {
        return untilMs;
      }
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(expected, e);
    }
    throw new IllegalArgumentException(expected);
  }

  private static String text(JsonNode asked, String field, int most) {
    JsonNode value = asked.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (!value.isTextual() || value.asText().length() > most) {
      throw new IllegalArgumentException(
          "%s; expected a text of at most %d characters".formatted(field, most));
    }
    return value.asText();
  }

  private void write(
      WorkerExecutor worker,
      RoutingContext context,
      Supplier<CompletionStage<Void>> written,
      Runnable then) {
    if (writes.incrementAndGet() > MOST_WRITES) {
      writes.decrementAndGet();
      Replies.error(
          context,
          503,
          "%d decisions are being written already, and the broker is slow; expected fewer at a time"
              .formatted(MOST_WRITES));
      return;
    }
    worker
        .executeBlocking(
            () -> written.get().toCompletableFuture().get(TIMEOUT_S, TimeUnit.SECONDS), false)
        .onComplete(done -> writes.decrementAndGet())
        .onSuccess(nothing -> then.run())
        .onFailure(
            e -> {
              log.warn("a decision could not be kept: {}", e.toString());
              Replies.error(context, 503, "the decision could not be kept: " + e.getMessage());
            });
  }
}
