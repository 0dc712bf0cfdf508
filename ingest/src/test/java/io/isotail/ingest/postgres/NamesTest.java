package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.CommentedSql;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long names are remembered. */
class NamesTest {
  private final Talk talk = new Talk(new WireServer(Map.of(), Question::new));
  private final Names names = talk.names;
  private final ServerSide server = new ServerSide(talk);

  private static Prepared statement() {
    AnalyzedSql sql = new AnalyzedSql(new Analysis.Harmless(), "", List.of(), Set.of());
    return new Prepared(CommentedSql.of("SELECT"), sql, null, new int[0]);
  }

  /** The server answers with a message without a body. */
  private void answer(byte type) {
    byte[] bytes = {type, 0, 0, 0, 4};
    server.handle(new Message().show(bytes, 0, bytes.length), new SentBytes());
  }

  private void await(Awaited.Kind kind, Undo undo) {
    talk.awaited.add(new Awaited(kind, null, null, undo));
  }

  @Test
  void whatIsClosedIsForgottenWhenTheServerHasAnsweredThat() {
    for (int i = 0; i < 1_000; i++) {
      await(Awaited.Kind.PARSE, names.prepare("s" + i, statement()));
      await(Awaited.Kind.CLOSE, names.closeStatement("s" + i));
      await(Awaited.Kind.PARSE, names.prepare("s", statement()));
      answer(MessageTypes.PARSE_COMPLETE);
      assertThat(names.statement("s" + i)).isNotNull();
      answer(MessageTypes.CLOSE_COMPLETE);
      assertThat(names.statement("s" + i)).isNull();
      assertThat(talk.isQuiet()).isFalse();
      assertThat(names.count()).isOne();
      answer(MessageTypes.PARSE_COMPLETE);
    }
  }

  @Test
  void whoseCloseWasSkippedIsForgottenWhenItsNameIsAnothers() {
    Undo first = names.prepare("s", statement());
    first.done();
    Undo close = names.closeStatement("s");
    Undo second = names.prepare("s", statement());
    close.undo(true);
    assertThat(names.count()).isEqualTo(2);
    second.done();
    assertThat(names.count()).isOne();
  }
}
