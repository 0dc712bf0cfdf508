package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.offline.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor says of a statement. */
final class DoctorStatementTest {
  private final CommandRun doctor = new CommandRun("doctor");

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "mysql   | UPDATE orders SET name = \"Alice Smith, 555-1234\" | UPDATE orders SET name = ? | opaque | no-key-condition",
        "mysql   | UPDATE `orders` SET n = 1                | UPDATE `orders` SET n = ?  | opaque | no-key-condition",
        "mysql   | DELETE FROM `orders`                     | DELETE FROM `orders`       | opaque | no-key-condition",
        "mysql   | INSERT INTO `orders` (id) SELECT 1       | INSERT INTO `orders` (id) SELECT ? | opaque | insert-without-values",
        "mysql   | SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED | SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED | transaction control: set session, level read committed | ",
        "mysql   | INSERT IGNORE INTO orders (id, version) VALUES (1, 2) | INSERT IGNORE INTO orders (id, version) VALUES (?, ?) | insert, if the count says so: a row that exists is left | ",
        "mariadb | UPDATE \"orders\" SET n = 1             | UPDATE ? SET n = ?         | opaque | dialect-unclear",
        "mysql   | SELECT 'it\\'s'                          | select                     | none   | ",
        "postgresql | SELECT v FROM orders WHERE id = $1    | SELECT v FROM orders WHERE id = ? | read | ",
        "postgresql | SELECT count(*) FROM orders           | SELECT count(*) FROM orders | unread | row-without-key-or-version",
      })
  void eachStatementHasItsWords(
      String dialect, String text, String fingerprint, String effect, String reason)
      throws Exception {
    int status = doctor.run("--json", "--dialect", dialect, "--statement", text);
    JsonNode found = new ObjectMapper().readTree(doctor.out.toString());
    assertThat(words(found, "fingerprint")).containsExactly(fingerprint);
    assertThat(words(found, "effect").get(0)).startsWith(effect);
    assertThat(found.at("/problems/0/subject").asText()).isEqualTo(reason == null ? "" : reason);
    assertThat(status).isEqualTo(reason == null ? ExitCode.PASSED : ExitCode.TO_MEND);
  }

  private static List<String> words(JsonNode found, String subject) {
    List<String> words = new ArrayList<>();
    for (JsonNode fact : found.get("facts")) {
      if (fact.get("subject").asText().equals(subject)) {
        words.add(fact.get("words").asText());
      }
    }
    return words;
  }

  @Test
  void keysAreToldByWhereTheirValuesComeFrom() {
    doctor.run(
        "--dialect",
        "mysql",
        "--observed",
        "stock(shop, item; rev)",
        "--statement",
        "UPDATE stock SET rev = 8 WHERE shop = 555 AND item = ? AND rev = 7");
    assertThat(doctor.out.toString())
        .contains("writes      stock: shop = a value in the text and item = parameter 1")
        .contains("reads       stock: the same row at the version that it demands")
        .contains("version     a value in the text")
        .doesNotContain("555")
        .contains("all is well");
  }

  @Test
  void anUnknownDialectShowsOnlyAHash() {
    doctor.run("--dialect", "oracle", "--statement", "UPDATE orders SET name = 'Alice'");
    assertThat(doctor.out.toString())
        .contains("oracle, which isotail does not know")
        .containsPattern("fingerprint +update #[0-9a-f]{16}")
        .doesNotContain("Alice");
  }

  @Test
  void onPostgresqlTheTextThatIsSentIsShown() {
    doctor.run("--statement", "UPDATE orders SET n = 1");
    assertThat(doctor.out.toString()).contains("RETURNING \"orders\".\"id\" AS isotail_h1");
  }

  @Test
  void whatAStatementMayDoBesidesIsSaid() {
    doctor.run("--dialect", "sqlserver", "--statement", "SET TRANSACTION ISOLATION LEVEL SNAPSHOT");
    assertThat(doctor.out.toString()).contains("also        it may set the isolation level");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "--dialect mysql | found --dialect without --statement; expected both",
        "--statement SELECT --proxy 127.0.0.1:1 | expected one of both",
        "--statement SELECT --url jdbc:postgresql:x | expected one of both",
        "--statement SELECT --dialect My/SQL | --dialect My/SQL; expected a database as JDBC URLs name it",
        "--statement SELECT --observed orders(id) | observed tables: expected ';'",
      })
  void whatMakesNoSenseIsRefused(String options, String message) {
    assertThat(doctor.run(options.split(" "))).isEqualTo(ExitCode.BAD);
    assertThat(doctor.err.toString()).contains(message);
  }

  @Test
  void anEmptyStatementIsRefused() {
    assertThat(doctor.run("--statement", " ")).isEqualTo(ExitCode.BAD);
    assertThat(doctor.err.toString()).contains("--statement is empty");
  }
}
