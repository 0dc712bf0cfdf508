package io.isotail.ingest.capture;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which copy of a database a session is connected to. */
public enum DatabaseCopy {
  /** The one that is written to, or one that is not known to be a copy. */
  PRIMARY(""),
  /** A physical standby, which shows what it has replayed of the primary's log. */
  STANDBY("-standby"),
  /** It is not told. */
  NOT_TOLD("");

  private final String suffix;

  DatabaseCopy(String suffix) {
    this.suffix = suffix;
  }

  /** What the names of levels have after that of the database. */
  String suffix() {
    return suffix;
  }

  /** What a question of {@link Dialect#standbyQuery} was answered with. */
  static DatabaseCopy ofAnswer(@Nullable String answer) {
    if ("yes".equals(answer)) {
      return STANDBY;
    }
    return "no".equals(answer) ? PRIMARY : NOT_TOLD;
  }

  /**
   * The copy that a session is connected to; asks for it if it is not known without asking.
   *
   * @param server in no transaction
   */
  public static DatabaseCopy of(Server server) throws Exception {
    DatabaseCopy told = server.copy();
    String query = server.dialect().standbyQuery();
    if (query == null) {
      return PRIMARY;
    }
    if (told != NOT_TOLD) {
      return told;
    }
    DatabaseCopy[] answer = {NOT_TOLD};
    server.outsideOfTransactions(
        () -> {
          List<@Nullable String> row = server.firstRow(query);
          answer[0] = ofAnswer(row == null ? null : row.get(0));
        });
    return answer[0];
  }
}
