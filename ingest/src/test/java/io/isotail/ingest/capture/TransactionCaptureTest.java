package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Operations;
import io.isotail.ingest.sql.StatementTrait;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The states of a transaction, and what moves it from one to another. */
final class TransactionCaptureTest {
  private final List<Long> announced = new ArrayList<>();

  private TransactionCapture transaction(boolean single) {
    return new TransactionCapture(7, 0, null, single, tx -> announced.add(tx.number()));
  }

  @Test
  void aSavepointRevivesWhatAnErrorDoomedButNotALostConnection() {
    TransactionCapture tx = transaction(false);
    tx.savepoint("s");
    tx.failed(true);
    assertThat(tx.doomed()).isTrue();
    tx.rollbackTo("s");
    assertThat(tx.doomed()).isFalse();
    tx.lose();
    tx.rollbackTo("s");
    tx.failed(false);
    assertThat(tx.doomed()).isTrue();
  }

  @Test
  void aConnectionLostWhileCommittingDoomsNothing() {
    TransactionCapture tx = transaction(false);
    tx.commitSent();
    tx.lose();
    assertThat(tx.doomed()).isFalse();
    assertThat(tx.mayBeCommitted()).isTrue();
    tx.commitAnswered();
    assertThat(tx.mayBeCommitted()).isFalse();
  }

  @Test
  void aDoomedTransactionStaysDoomedWhileItsCommitIsAnswered() {
    TransactionCapture tx = transaction(false);
    tx.failed(true);
    tx.commitSent();
    assertThat(tx.doomed()).isTrue();
    tx.commitAnswered();
    assertThat(tx.doomed()).isTrue();
  }

  @Test
  void whatTheDatabaseMayHaveRolledBackStaysUncertain() {
    TransactionCapture tx = transaction(false);
    tx.savepoint("s");
    tx.uncertain();
    tx.rollbackTo("s");
    tx.failed(true);
    tx.lose();
    assertThat(tx.isUncertain()).isTrue();
    assertThat(tx.doomed()).isFalse();
    tx.commitSent();
    assertThat(tx.isUncertain()).isTrue();
    assertThat(tx.poisoned()).isTrue();
  }

  @Test
  void oneStatementIsNeverDoomed() {
    TransactionCapture tx = transaction(true);
    tx.failed(true);
    tx.lose();
    assertThat(tx.single()).isTrue();
    assertThat(tx.doomed()).isFalse();
    tx.becomeExplicit();
    tx.failed(true);
    assertThat(tx.single()).isFalse();
    assertThat(tx.doomed()).isTrue();
  }

  @Test
  void anEndIsForGood() {
    TransactionCapture tx = transaction(true);
    tx.end();
    tx.becomeExplicit();
    tx.failed(true);
    tx.lose();
    tx.commitSent();
    tx.commitAnswered();
    assertThat(tx.ended()).isTrue();
    assertThat(tx.single()).isTrue();
    assertThat(tx.mayBeCommitted()).isFalse();
    tx.poison();
    assertThat(announced).isEmpty();
  }

  @Test
  void aTextThatMayHoldACommitMayHaveCommitted() {
    TransactionCapture tx = transaction(false);
    tx.sends(Set.of(StatementTrait.ENDS_TRANSACTION));
    assertThat(tx.mayBeCommitted()).isTrue();
  }

  @Test
  void writingIsAnnouncedOnce() {
    TransactionCapture tx = transaction(false);
    tx.announce();
    tx.announce();
    tx.poison();
    assertThat(announced).containsExactly(7L);
    assertThat(tx.poisoned()).isTrue();
    assertThat(tx.take(new Operations.Builder(), null).size()).isEqualTo(1);
  }
}
