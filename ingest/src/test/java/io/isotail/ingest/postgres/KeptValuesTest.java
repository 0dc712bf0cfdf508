package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.CommentedSql;
import io.isotail.ingest.sql.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which values of Bind messages are kept, and for how long. */
class KeptValuesTest {
  private static final int TEXT = 25;

  private final KeptValues kept = new KeptValues();

  private BoundValues bind(String... values) {
    byte[] bytes = new Messages().bind("", "", values).bytes();
    AnalyzedSql sql = new AnalyzedSql(new Analysis.Harmless(), "", List.of(), Set.of());
    Prepared prepared =
        new Prepared(CommentedSql.of("SELECT"), sql, null, new int[] {TEXT, TEXT, TEXT});
    Message message = new Message().show(bytes, 0, bytes.length);
    BoundValues bound = BoundValues.of(message, Message.BODY + 2, prepared, new WireValues());
    kept.add(bound);
    return bound;
  }

  @Test
  void aLongValueIsNotKept() {
    String most = "x".repeat(BoundValues.MOST_VALUE_BYTES);
    BoundValues bound = bind("a", most + "x", null);
    assertThat(bound.apply(1)).isEqualTo("a");
    assertThat(bound.apply(2)).isEqualTo(Operand.UNKNOWN);
    assertThat(bound.apply(3)).isEqualTo(Operand.NULL);
    assertThat(bound.apply(4)).isEqualTo(Operand.UNKNOWN);
    assertThat(kept.bytes()).isLessThan(1_000);
    assertThat(bind(most).apply(1)).isEqualTo(most);
  }

  @Test
  void valuesAreForgottenWhenTheServerIsReadyAfterTheirExecution() {
    BoundValues executed = bind("a");
    BoundValues waiting = bind("b");
    kept.done(executed);
    assertThat(executed.apply(1)).isEqualTo("a");
    kept.ready();
    assertThat(executed.apply(1)).isEqualTo(Operand.UNKNOWN);
    assertThat(waiting.apply(1)).isEqualTo("b");
    kept.forgetAll();
    assertThat(waiting.apply(1)).isEqualTo(Operand.UNKNOWN);
    assertThat(kept.bytes()).isZero();
  }

  @Test
  void theOldestAreForgottenWhereThereAreTooMany() {
    List<BoundValues> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(bind("x".repeat(50_000)));
      assertThat(kept.bytes()).isBetween(50_000L, (long) KeptValues.MOST_BYTES);
    }
    assertThat(all.get(0).apply(1)).isEqualTo(Operand.UNKNOWN);
    assertThat(all.get(199).apply(1)).isEqualTo("x".repeat(50_000));
  }

  @Test
  void executionsWithoutASyncAreForgottenToo() {
    for (int i = 0; i < 200; i++) {
      kept.done(bind("x".repeat(50_000)));
      assertThat(kept.doneCount()).isLessThan(100);
    }
    kept.ready();
    assertThat(kept.doneCount()).isZero();
    assertThat(kept.bytes()).isZero();
  }
}
