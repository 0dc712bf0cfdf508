package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.postgres.NamesInSql.Kind;
import io.isotail.ingest.postgres.RawClient.Messages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesInSqlTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          EXECUTE One              | EXECUTE        | one
          execute "One"(1, 'a')    | EXECUTE        | One
          /* a */ EXECUTE "a""b"   | EXECUTE        | a"b
          EXECUTE U&"d\\0061t!"      | EXECUTE        | dat!
          execute u&"d!0061\\t"UESCAPE'!' (1) | EXECUTE | da\\t
          EXECUTE U&"\\+000061\\\\"   | EXECUTE        | a\\
          EXECUTE U&"\\006"         | NOTHING        | ''
          EXECUTE u&b              | EXECUTE        | u
          /* /* */ a */ EXECUTE a  | EXECUTE        | a
          FETCH 1 FROM p;          | FETCH          | p
          fetch P                  | FETCH          | p
          FETCH -1 IN "p q" ;;     | FETCH          | p q
          MOVE FORWARD ALL FROM p  | MOVE           | p
          FETCH p; SELECT 1        | NOTHING        | ''
          PREPARE a AS SELECT 1    | PREPARE        | a
          PREPARE a(int) AS SELECT | PREPARE        | a
          PREPARE TRANSACTION 'x'  | NOTHING        | ''
          DEALLOCATE a             | DEALLOCATE     | a
          DEALLOCATE PREPARE a;    | DEALLOCATE     | a
          DEALLOCATE PREPARE       | DEALLOCATE     | prepare
          DEALLOCATE "all"         | DEALLOCATE     | all
          DEALLOCATE ALL           | DEALLOCATE_ALL | ''
          DEALLOCATE prepare ALL   | DEALLOCATE_ALL | ''
          DEALLOCATE a; SELECT 1   | NOTHING        | ''
          EXECUTE a; PREPARE b     | PREPARE_ANY    | ''
          SELECT 1; prepare a AS   | PREPARE_ANY    | ''
          DO 'x EXECUTE "Prepare"' | PREPARE_ANY    | ''
          DO 'x EXECUTE "b"'       | NOTHING        | ''
          SELECT 1; SELECT 2       | NOTHING        | ''
          DISCARD ALL              | DEALLOCATE_ALL | ''
          DISCARD PLANS            | NOTHING        | ''
          -- DEALLOCATE a          | NOTHING        | ''
          "deallocate" a           | NOTHING        | ''
          DEALLOCATE "a            | NOTHING        | ''
          SELECT 1                 | NOTHING        | ''
          """)
  void namesAreFound(String sql, Kind kind, String name) {
    assertThat(NamesInSql.of(sql)).isEqualTo(new NamesInSql(kind, name));
  }

  @Test
  void aCarriageReturnEndsAComment() {
    assertThat(NamesInSql.of("EXECUTE -- a\r b")).isEqualTo(new NamesInSql(Kind.EXECUTE, "b"));
    assertThat(NamesInSql.of("EXECUTE\u2003b").kind()).isEqualTo(Kind.NOTHING);
  }

  @Test
  void aNameHasAsManyBytesAsTheServerKeeps() {
    String most = "x".repeat(ServerNames.MOST_BYTES);
    assertThat(NamesInSql.of("EXECUTE " + most + "y").name()).isEqualTo(most);
    String cut = NamesInSql.of("EXECUTE " + "\u00e9".repeat(40)).name();
    assertThat(cut).hasSize(62);
    String one = most.substring(1) + "\u00e9";
    assertThat(NamesInSql.of("EXECUTE " + one).name()).isEqualTo(most.substring(1));
    byte[] close = new Messages().about((byte) 'C', 'S', one).bytes();
    Message message = new Message().show(close, 0, close.length);
    assertThat(ServerNames.in(message, Message.BODY + 1)).isEqualTo(most.substring(1) + "\u00c3");
  }
}
