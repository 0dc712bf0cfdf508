package io.isotail.monitor.otlp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.monitor.publish.News;
import io.isotail.monitor.publish.PublishListener;
import io.isotail.monitor.publish.PublishedCause;
import io.isotail.monitor.publish.PublishedIncident;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Makes an event of each incident and each cause that was published for the first time, and of each
 * incident that has become worse; of nothing else, as the alerts do. What people have muted makes
 * none.
 *
 * <p>What the checker forgets and finds again is no new event until nothing was published of it for
 * {@link #LIFE}, after which it pages anew. Bounds: {@link #MAX_REMEMBERED} events are remembered,
 * and so many causes with their traces. Owned by the pipeline's thread.
 */
public final class LogEvents implements PublishListener {
  /** Events, and causes with traces, that are remembered. */
  static final int MAX_REMEMBERED = 10_000;

  /** About for how long an alert outlasts what brought it about. */
  static final Duration LIFE = Duration.ofMinutes(40);

  private static final int MOST_TRACES = 20;
  private static final Pattern TRACE = Pattern.compile("(?!0{32})[0-9a-fA-F]{32}");

  private final Supplier<URI> page;
  private final Predicate<String> isMuted;
  private final Consumer<ObjectNode> sender;
  private final Cache<String, List<String>> traces;

  /** Events that came; false if they were muted, and are to be sent once that has ended. */
  private final Cache<String, Boolean> told;

  /**
   * Makes events.
   *
   * @param page address of the page, without a slash at its end
   * @param isMuted whether people have muted the cause of this id
   * @param sender takes events and does not wait
   */
  public LogEvents(Supplier<URI> page, Predicate<String> isMuted, Consumer<ObjectNode> sender) {
    this(page, isMuted, sender, Ticker.systemTicker());
  }

  LogEvents(
      Supplier<URI> page, Predicate<String> isMuted, Consumer<ObjectNode> sender, Ticker ticker) {
    this.traces = remembered().build();
    this.told = remembered().expireAfterAccess(LIFE).ticker(ticker).build();
    this.page = page;
    this.isMuted = isMuted;
    this.sender = sender;
  }

  private static Caffeine<Object, Object> remembered() {
    return Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).executor(Runnable::run);
  }

  @Override
  public void found(Anomaly anomaly) {
    List<String> known = traces(anomaly);
    if (!known.isEmpty()) {
      traces.put(anomaly.cause(), known);
    }
  }

  /**
   * Traces of the transactions on the cycle; of a bad read, which has none, of all of the proof.
   */
  private static List<String> traces(Anomaly anomaly) {
    Set<String> names = new HashSet<>();
    for (CycleEdge edge : anomaly.cycle()) {
      names.add(edge.from());
      names.add(edge.to());
    }
    return anomaly.capsule().stream()
        .filter(transaction -> names.isEmpty() || names.contains(transaction.name()))
        .map(CapsuleTransaction::origin)
        .filter(Objects::nonNull)
        .map(origin -> origin.trace())
        .filter(Objects::nonNull)
        .filter(TRACE.asMatchPredicate())
        .distinct()
        .limit(MOST_TRACES)
        .toList();
  }

  @Override
  public void told(News news) {
    String event = eventOf(news);
    Boolean settled = told.getIfPresent(event);
    boolean due = settled == null ? news.isNew() : !settled;
    boolean sends = due && !isMuted(news);
    told.put(event, !due || sends);
    if (!sends) {
      return;
    }
    if (news instanceof PublishedIncident published) {
      tell(published);
    } else if (news instanceof PublishedCause published) {
      tell(published.cause());
    }
  }

  /** An incident is muted if all of its causes are, those that are not named included. */
  private boolean isMuted(News news) {
    return news.about() instanceof IncidentReport incident
        ? !incident.causes().isEmpty()
            && incident.causes().size() == incident.causeCount()
            && incident.causes().stream().allMatch(isMuted)
        : isMuted.test(news.about().id());
  }

  private static String eventOf(News news) {
    String id = news.about().id();
    return news.about() instanceof IncidentReport incident
        ? id + " " + incident.wave().number()
        : id;
  }

  private void tell(PublishedIncident published) {
    IncidentReport incident = published.incident();
    List<String> known =
        incident.causes().stream().flatMap(cause -> tracesOf(cause).stream()).distinct().toList();
    sender.accept(LogRecords.of(incident, published.lead(), known, page.get()));
  }

  private void tell(CauseReport cause) {
    sender.accept(LogRecords.of(cause, tracesOf(cause.id()), page.get()));
  }

  private List<String> tracesOf(String cause) {
    List<String> known = traces.getIfPresent(cause);
    return known == null ? List.of() : known;
  }
}
