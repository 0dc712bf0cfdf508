package io.isotail.incremental.forecast;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.cause.CauseReport;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What transactions can do to a promise if they run beside each other. Never an alarm: it has not
 * happened.
 *
 * @param id the same for the same statements, whatever the values: 16 hexadecimal digits
 * @param certainty how sure it is
 * @param templates the transactions, one for each execution of the course
 * @param course an order in which it happens
 * @param anomaly what the checker says of that
 * @param cause whose statements bring it about
 * @param stale the queries that show what is changed before their transactions end
 * @param changes whether a transaction with such a query changes something; otherwise it only
 *     reports what never was
 * @param relative whether all that is written is computed from the row as it is found: then nothing
 *     is lost, and what was decided by the query may be wrong
 * @param scanned whether it rests on a query of which it is not known what rows it looked at
 * @param asSeen whether the transactions use the rows that they used when they were seen
 * @param others other transactions that it happens beside, for the same queries
 */
public record Forecast(
    String id,
    Certainty certainty,
    List<Template> templates,
    Course course,
    Anomaly anomaly,
    CauseReport cause,
    List<Stale> stale,
    boolean changes,
    boolean relative,
    boolean scanned,
    boolean asSeen,
    List<List<Template>> others) {
  /** Copies the lists. */
  public Forecast {
    templates = List.copyOf(templates);
    stale = List.copyOf(stale);
    others = List.copyOf(others);
  }

  /** A query of a transaction. */
  public record Stale(Template template, String statement) {}

  /** Where a kind of anomaly comes about: by a query of a transaction. */
  public record Place(AnomalyKind kind, boolean relative, Stale by) {}

  /** Its places. */
  public Set<Place> places() {
    return stale.stream()
        .map(by -> new Place(anomaly.kind(), relative, by))
        .collect(Collectors.toSet());
  }

  /** This forecast, after its course ran on the database, where the checker saw a violation. */
  public Forecast proved() {
    return new Forecast(
        id,
        Certainty.PROVED,
        templates,
        course,
        anomaly,
        cause,
        stale,
        changes,
        relative,
        scanned,
        asSeen,
        others);
  }

  Forecast with(Course newer) {
    return new Forecast(
        id, certainty, templates, newer, anomaly, cause, stale, changes, relative, scanned, asSeen,
        others);
  }

  Forecast with(List<List<Template>> more) {
    return new Forecast(
        id, certainty, templates, course, anomaly, cause, stale, changes, relative, scanned, asSeen,
        more);
  }

  /** How often the transactions ran: the least frequent of them. */
  public long count() {
    return templates.stream().mapToLong(Template::count).min().orElse(0);
  }
}
