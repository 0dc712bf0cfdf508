package io.isotail.ingest.capture;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.NameHash;
import io.isotail.incremental.record.SessionInfo;
import java.util.ArrayList;
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
 * @param nextId each transaction with this id, or a higher one, ends after those below {@code
 *     oldestRunning} had ended; {@code Hello.NOT_KNOWN} where ids are not known
 */
public record DatabaseIds(long database, long oldestRunning, long nextId) {
  /** Nothing is known. */
  public static final DatabaseIds UNKNOWN =
      new DatabaseIds(SessionInfo.NO_DATABASE, Hello.NOT_KNOWN, Hello.NOT_KNOWN);

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseIds.class);

  /**
   * What the database behind a server tells; asks it. No transaction is open.
   *
   * @throws ServerLostException if the connection has ended before it was answered
   */
  static DatabaseIds of(Server server) {
    Dialect dialect = server.dialect();
    String identity = dialect.databaseIdentity(server.majorVersion());
    List<@Nullable String> database =
        identity == null ? List.of() : answer(server, "SELECT " + identity);
    return of(numberOf(database.isEmpty() ? null : database.get(0)), server);
  }

  /**
   * The ids of the database of a server that is known; asks whether it is the one of a cluster, and
   * which transactions run. None is open here.
   */
  static DatabaseIds of(long number, Server server) {
    String cluster = server.dialect().clusterQuery();
    long database = number;
    if (cluster != null && number != SessionInfo.NO_DATABASE) {
      List<@Nullable String> shared = answer(server, cluster);
      if (shared.isEmpty()) {
        return UNKNOWN; // It may be of one.
      }
      database = shared.get(0) == null ? number : numberOf(shared.get(0));
    }
    String query = server.dialect().runningQuery();
    List<@Nullable String> ids = query == null ? List.of() : answer(server, query);
    return ids.size() < 2
        ? new DatabaseIds(database, Hello.NOT_KNOWN, Hello.NOT_KNOWN)
        : new DatabaseIds(database, number(ids.get(0)), number(ids.get(1)));
  }

  private static long number(@Nullable String id) {
    return id == null ? Hello.NOT_KNOWN : Long.parseLong(id);
  }

  /** The number of a database with this identity; {@code SessionInfo.NO_DATABASE} for none. */
  public static long numberOf(@Nullable String identity) {
    return identity == null ? SessionInfo.NO_DATABASE : NameHash.of(identity);
  }

  /** The first row; empty if there is none. */
  private static List<@Nullable String> answer(Server server, String query) {
    if (server.limitsAnswers()) {
      return List.of();
    }
    List<@Nullable String> answer = new ArrayList<>();
    try {
      server.outsideOfTransactions(
          () -> {
            List<@Nullable String> row = server.firstRow(query);
            if (row != null) {
              answer.addAll(row);
            }
          });
    } catch (ServerLostException e) {
      throw e; // The next server tells.
    } catch (Exception e) {
      LOG.info(
          "isotail: the database does not tell which it is, or which transactions run: {}",
          e.getMessage());
    }
    return answer;
  }
}
