package io.isotail.incremental.cause;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Code that has a part in a cause: an endpoint of a service, or where no endpoint is told what the
 * service does with a table.
 *
 * @param service null when unknown
 * @param endpoint null when not told
 * @param table null where an endpoint is told, and when unknown
 */
public record Culprit(@Nullable String service, @Nullable String endpoint, @Nullable String table)
    implements Comparable<Culprit> {

  private static final Comparator<@Nullable String> TEXT =
      Comparator.nullsFirst(Comparator.naturalOrder());
  private static final Comparator<Culprit> ORDER =
      Comparator.comparing(Culprit::service, TEXT)
          .thenComparing(Culprit::endpoint, TEXT)
          .thenComparing(Culprit::table, TEXT);
  private static final Culprit NOBODY = new Culprit(null, null, null);

  private static Culprit of(
      @Nullable String service, @Nullable String endpoint, @Nullable String table) {
    return new Culprit(service, endpoint, endpoint == null ? table : null);
  }

  /**
   * Those of a cause, in order; one of which nothing is known if it has no parts. A writer that
   * nobody captured tells nothing but its table, and is none where another one is known.
   */
  static Set<Culprit> of(List<CausePart> parts) {
    Set<Culprit> all = new TreeSet<>();
    for (CausePart part : parts) {
      all.add(of(part.service(), part.endpoint(), part.table()));
    }
    if (all.stream().anyMatch(Culprit::isKnown)) {
      all.removeIf(culprit -> !culprit.isKnown());
    }
    return all.isEmpty() ? Set.of(NOBODY) : all;
  }

  /** Those that a transaction belongs to. */
  static Set<Culprit> of(Transaction t) {
    String service = t.session.info.service();
    String endpoint = t.origin == null ? null : t.origin.endpoint();
    if (endpoint != null) {
      return Set.of(of(service, endpoint, null));
    }
    Set<Culprit> all = new HashSet<>();
    t.operations.statements().forEach(each -> all.add(of(service, null, each.table())));
    return all.isEmpty() ? Set.of(NOBODY) : all;
  }

  private boolean isKnown() {
    return service != null || endpoint != null;
  }

  @Override
  public int compareTo(Culprit other) {
    return ORDER.compare(this, other);
  }

  /** For people: {@code POST /buy of checkout}; empty if nothing is known. */
  public String name() {
    String what = endpoint != null ? endpoint : table;
    return what == null
        ? (service == null ? "" : service)
        : service == null ? what : what + " of " + service;
  }

  void save(StateWriter out) {
    out.text(service);
    out.text(endpoint);
    out.text(table);
  }

  static Culprit load(StateReader in) {
    return new Culprit(in.text(), in.text(), in.text());
  }
}
