package io.isotail.ingest.jdbc;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.proxy.Await;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Random conversations on {@link HiddenSchema}, and what may differ through a proxy. */
final class WireTalk {
  static final String SEARCH_PATH = "-c search_path=hidden";

  private Connection own;
  private final int function;

  /** With a connection of its own. */
  WireTalk() throws SQLException {
    own = HiddenSchema.plain();
    function = number("SELECT 'hidden.add_one'::regproc::oid");
  }

  private int number(String query) throws SQLException {
    try (Statement s = own.createStatement();
        ResultSet row = s.executeQuery(query)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Whether the server itself has crashed, as PostgreSQL 15 does in one of some hundred. */
  static boolean isCrash(List<String> told) {
    return told.get(told.size() - 1).equals(RawClient.GONE)
        && told.stream().noneMatch(line -> line.contains("VFATAL"));
  }

  /**
   * Waits until the server, which may have crashed, has no session of a conversation left. Other
   * tests may have sessions, through JDBC, which have that name.
   */
  void awaitNoSession() {
    Await.until(
        "the server has no session of a conversation left",
        () -> {
          try {
            return number(
                    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
                        + " AND application_name <> 'PostgreSQL JDBC Driver'")
                == 0;
          } catch (SQLException e) {
            connectAgain();
            return false;
          }
        });
  }

  private void connectAgain() {
    try {
      own = HiddenSchema.plain();
    } catch (SQLException e) {
      // It is tried again.
    }
  }

  /** A conversation's messages. */
  RandomConversations conversations(Random random) {
    return new RandomConversations(random, function);
  }

  /** A byte as {@link RawClient} shows it. */
  private static final Pattern BYTE = Pattern.compile("(?s)\\\\\\d{1,3}|.");

  /**
   * Names the difference if it is a known one; null if it is not.
   *
   * <p>Where a write has to return rows for isotail, the server minds mistakes of a client in
   * another way: it describes no such statement in a transaction that has failed, says that it is
   * done where it is executed again, fetches from it in SQL, and counts the columns that were
   * added. And a limit of rows is passed on or not by what a name stands for; a client that gives a
   * name again, and sends on without looking whether that has failed, has it mistaken. A server
   * that ends a connection with something unread may take its last words away from who is still
   * writing. A Bind of a name that is in doubt is refused where its Describe is. Describe of an
   * EXECUTE tells from which tables the columns are of the statement that has the name now,
   * whatever that is; a write has such columns with isotail only.
   */
  static @Nullable String known(List<String> expected, List<String> actual) {
    int i = firstDifference(expected, actual);
    String plain = i < expected.size() ? expected.get(i) : "";
    String seen = i < actual.size() ? actual.get(i) : "";
    boolean limit =
        (seen.equals("s ") && plain.startsWith("C "))
            || (plain.equals("s ") && seen.startsWith("C "));
    List<String> burst = actual.subList(startOfBurst(actual, i), Math.min(i, actual.size()));
    boolean named = !burst.isEmpty() && burst.get(0).matches("(?s).*Parse (one|two|three):.*");
    boolean failed = burst.stream().anyMatch(line -> line.startsWith("E "));
    if (limit && named && failed) {
      return "limit of rows";
    } else if (seen.matches("(?s).*C25P02.*Rexec_describe_(statement|portal)_message.*")) {
      return "describe in a failed transaction";
    } else if (plain.contains("unsupported portal strategy")) {
      return "fetch of a write";
    } else if (plain.contains("cannot be run")
        && seen.matches("C (UPDATE|DELETE|INSERT 0|MOVE|FETCH) 0.*")) {
      return "executed again";
    } else if (plain.contains("result formats but query has")
        && seen.contains("result formats but query has")) {
      return "number of formats";
    } else if (seen.equals(RawClient.GONE)
        && expected.get(expected.size() - 1).equals(RawClient.GONE)) {
      return "last words of a server";
    } else if (plain.startsWith("E ") && withoutPlace(plain).equals(withoutPlace(seen))) {
      return "place of an error in the server";
    } else if (plain.startsWith("T ")
        && actual.subList(0, i).stream().anyMatch(line -> line.startsWith("C CREATE TABLE"))
        && withoutOrigins(plain).equals(withoutOrigins(seen))) {
      return "number of a table that was made meanwhile";
    } else if (plain.startsWith("T ")
        && actual.subList(0, i).stream().anyMatch(line -> line.contains(": EXECUTE "))
        && withoutOrigins(plain).equals(withoutOrigins(seen))) {
      return "tables of an EXECUTE of a name that was given again";
    }
    return null;
  }

  /** An error without the file, line and function of the server that have raised it. */
  private static String withoutPlace(String error) {
    return error.replaceFirst("(?s)\\\\0F.*", "");
  }

  /** A description of rows without the table and the column that each of its columns is of. */
  private static String withoutOrigins(String description) {
    List<String> bytes = BYTE.matcher(description).results().map(MatchResult::group).toList();
    StringBuilder rest = new StringBuilder();
    int place = 4;
    while (place < bytes.size()) {
      int name = place;
      while (place < bytes.size() && !bytes.get(place).equals("\\0")) {
        place++;
      }
      int type = Math.min(place + 1 + 6, bytes.size());
      int next = Math.min(type + 12, bytes.size());
      bytes.subList(name, place).forEach(rest::append);
      rest.append(' ').append(String.join("", bytes.subList(type, next))).append(' ');
      place = next;
    }
    return rest.toString();
  }

  /** The first difference, with all that was sent before it and what was answered to the last. */
  static String described(List<String> expected, List<String> actual) {
    int i = firstDifference(expected, actual);
    int start = startOfBurst(actual, i);
    return HiddenSchema.difference(expected, actual)
        + "\n    in "
        + String.join(
            "\n      ",
            actual.subList(0, start).stream().filter(line -> line.startsWith("sent ")).toList())
        + "\n      "
        + String.join("\n      ", actual.subList(start, Math.min(i + 1, actual.size())));
  }

  private static int firstDifference(List<String> expected, List<String> actual) {
    int i = 0;
    while (i < expected.size() && i < actual.size() && expected.get(i).equals(actual.get(i))) {
      i++;
    }
    return i;
  }

  /** Where stands what the client has sent last before a place. */
  private static int startOfBurst(List<String> talk, int place) {
    int start = Math.min(place, talk.size() - 1);
    while (start > 0 && !talk.get(start).startsWith("sent ")) {
      start--;
    }
    return Math.max(start, 0);
  }

  /**
   * What the server answers; after each burst stands what was sent.
   *
   * @param cuts says how what is sent is cut into pieces
   */
  List<String> talk(int port, long seed, Random cuts) throws IOException {
    Random random = Seeds.random(seed);
    RandomConversations conversations = conversations(random);
    List<String> told = new ArrayList<>();
    try (RawClient client = new RawClient(port, "postgres", SEARCH_PATH)) {
      for (int i = 1 + random.nextInt(5); i > 0; i--) {
        Messages messages = conversations.burst();
        told.add("sent " + messages);
        client.send(messages.bytes(), cuts);
        List<String> answers = client.readToEnd(messages.isFlushed());
        told.addAll(answers);
        if (messages.isFlushed() && answers.get(answers.size() - 1).startsWith("E ")) {
          Messages sync = new Messages().sync();
          client.send(sync.bytes(), cuts);
          told.addAll(client.read(sync.readies()));
        }
        if (answers.get(answers.size() - 1).equals(RawClient.GONE)) {
          break;
        }
      }
    } catch (SocketTimeoutException e) {
      told.add(e.toString());
    } catch (IOException e) {
      told.add(RawClient.GONE);
    }
    return told;
  }
}
