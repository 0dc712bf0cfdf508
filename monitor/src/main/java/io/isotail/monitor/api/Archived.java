package io.isotail.monitor.api;

import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers with what memory keeps, or the archive, or says that nobody has it. */
final class Archived {
  private static final Logger log = LoggerFactory.getLogger(Archived.class);

  /** For so long somebody who asks is made to wait. */
  private static final long TIMEOUT_S = 10;

  private Archived() {}

  /**
   * Answers at once with what is kept, else when the archive has answered.
   *
   * @param what is asked for, in a word
   * @param kept what memory has of it
   * @param archive asked where memory has nothing
   * @param then answers with what was found
   */
  static <T> void find(
      RoutingContext context,
      String what,
      Optional<T> kept,
      Function<String, CompletionStage<Optional<T>>> archive,
      Consumer<T> then) {
    String id = context.pathParam("id");
    kept.ifPresentOrElse(then, () -> await(context, what, id, archive.apply(id), then));
  }

  private static <T> void await(
      RoutingContext context,
      String what,
      String id,
      CompletionStage<Optional<T>> asked,
      Consumer<T> then) {
    Future.fromCompletionStage(asked, context.vertx().getOrCreateContext())
        .timeout(TIMEOUT_S, TimeUnit.SECONDS)
        .onSuccess(
            found -> found.ifPresentOrElse(then, () -> Replies.error(context, 404, gone(what, id))))
        .onFailure(
            e -> {
              log.debug("{} {} could not be looked up", what, id, e);
              Replies.error(
                  context,
                  503,
                  "%s %s is not in memory, and the anomalies topic cannot be read now; try again"
                      .formatted(what, id));
            });
  }

  private static String gone(String what, String id) {
    return ("%s %s is not known: it is not among the latest 500,000, or no longer on the anomalies"
            + " topic, which deletes what is older than its retention.ms")
        .formatted(what, id);
  }
}
