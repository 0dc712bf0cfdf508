package io.isotail.ingest.capture;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.NameHash;
import io.isotail.incremental.record.SessionInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which database gives out the ids of transactions, and which of them were of before.
 *
 * @param database a number that no other database has; {@code SessionInfo.NO_DATABASE} if it is not
 *     known
 * @param oldestRunning every transaction of the database with a lower id has ended; {@code
 *     Hello.NOT_KNOWN} where ids are not known
 */
public record DatabaseIds(long database, long oldestRunning) {
  /** Nothing is known. */
  public static final DatabaseIds UNKNOWN =
      new DatabaseIds(SessionInfo.NO_DATABASE, Hello.NOT_KNOWN);

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseIds.class);

  /**
   * What the database behind a server tells; asks it. No transaction is open.
   *
   * @throws ServerLostException if the connection has ended before it was answered
   */
  static DatabaseIds of(Server server) {
    Dialect dialect = server.dialect();
    String identity = dialect.databaseIdentity(server.majorVersion());
    String database = identity == null ? null : answer(server, "SELECT " + identity);
    return new DatabaseIds(numberOf(database), oldestRunning(server));
  }

  /** The least id of a transaction that has not ended; asks for it. No transaction is open. */
  static long oldestRunning(Server server) {
    String query = server.dialect().oldestRunningQuery();
    String id = query == null ? null : answer(server, query);
    return id == null ? Hello.NOT_KNOWN : Long.parseLong(id);
  }

  /** The number of a database with this identity; {@code SessionInfo.NO_DATABASE} for none. */
  static long numberOf(@Nullable String identity) {
    return identity == null ? SessionInfo.NO_DATABASE : NameHash.of(identity);
  }

  private static @Nullable String answer(Server server, String query) {
    if (server.limitsAnswers()) {
      return null;
    }
    String[] answer = new String[1];
    try {
      server.outsideOfTransactions(
          () -> {
            List<@Nullable String> row = server.firstRow(query);
            answer[0] = row == null ? null : row.get(0);
          });
    } catch (ServerLostException e) {
      throw e; // The next server tells.
    } catch (Exception e) {
      LOG.info(
          "isotail: the database does not tell which it is, or which transactions run: {}",
          e.getMessage());
    }
    return answer[0];
  }
}
