package io.isotail.incremental.cause;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import java.util.Comparator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement that has a part in a cause, and who sent it. No literal is in it.
 *
 * @param table name of the table, null when unknown
 * @param fingerprint the statement with every literal replaced by {@code ?}; may be empty
 * @param service application that sent it, null when unknown
 * @param endpoint route or action that it belongs to, null when not told
 */
public record CausePart(
    @Nullable String table, String fingerprint, @Nullable String service, @Nullable String endpoint)
    implements Comparable<CausePart> {

  private static final Pattern LOCK =
      Pattern.compile("(?is).*\\bFOR\\s+(NO\\s+KEY\\s+)?(UPDATE|SHARE|KEY\\s+SHARE)\\b.*");

  private static final Comparator<@Nullable String> TEXT =
      Comparator.nullsFirst(Comparator.naturalOrder());
  private static final Comparator<CausePart> ORDER =
      Comparator.comparing(CausePart::service, TEXT)
          .thenComparing(CausePart::endpoint, TEXT)
          .thenComparing(CausePart::table, TEXT)
          .thenComparing(CausePart::fingerprint);

  /** An operation of a transaction; null where nothing is known of it but its key. */
  public static @Nullable CausePart of(Transaction t, int operation) {
    return of(t.operations, operation, t.session.info, t.origin);
  }

  /** One of the operations of a session; null where nothing is known of it but its key. */
  public static @Nullable CausePart of(
      Operations operations, int operation, SessionInfo session, @Nullable Origin origin) {
    Statement statement = operations.statement(operation);
    String service = session.service();
    String endpoint = origin == null ? null : origin.endpoint();
    boolean unknown =
        statement.table() == null
            && statement.fingerprint().isEmpty()
            && service == null
            && endpoint == null;
    return unknown
        ? null
        : new CausePart(statement.table(), statement.fingerprint(), service, endpoint);
  }

  /** Whether a statement locks the rows that it reads, as far as its text tells. */
  public static boolean locks(String statement) {
    return LOCK.matcher(statement).matches();
  }

  @Override
  public int compareTo(CausePart other) {
    return ORDER.compare(this, other);
  }

  void save(StateWriter out) {
    out.text(table);
    out.text(fingerprint);
    out.text(service);
    out.text(endpoint);
  }

  static CausePart load(StateReader in) {
    return new CausePart(in.text(), in.requiredText(), in.text(), in.text());
  }
}
