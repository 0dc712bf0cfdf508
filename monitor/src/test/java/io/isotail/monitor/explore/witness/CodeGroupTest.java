package io.isotail.monitor.explore.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.Times;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which executions are taken for those of one transaction of the code. */
final class CodeGroupTest {
  private final List<WitnessProgram.Part> parts = new ArrayList<>();

  private void execution(String service, String endpoint, String... statements) {
    int number = parts.size();
    Operations.Builder operations = new Operations.Builder();
    for (String statement : statements) {
      operations.statement(new Statement("t", statement)).write(1, 10 * number).names("1", null);
    }
    SessionInfo session = new SessionInfo(number, "s" + number, null, service, null, null, 0);
    parts.add(
        new WitnessProgram.Part(
            new CapsuleTransaction(
                "s" + number,
                session,
                0,
                number,
                Outcome.COMMITTED,
                null,
                number,
                Times.NONE,
                operations.build(),
                Origin.of(null, endpoint, "trace" + number)),
            "s" + number + ".t1",
            List.of()));
  }

  private List<List<Integer>> groups() {
    return CodeGroup.of(parts).stream().map(CodeGroup::parts).toList();
  }

  @Test
  void theSameDistinctStatementsInTheSameOrderAreOneTransaction() {
    execution("shop", null, "SELECT", "UPDATE");
    execution("shop", null, "UPDATE", "SELECT");
    execution("shop", null, "SELECT", "SELECT", "UPDATE", "SELECT");
    assertThat(groups()).containsExactly(List.of(0, 2), List.of(1));
    assertThat(CodeGroup.of(parts).get(0))
        .isEqualTo(new CodeGroup(List.of(0, 2), "shop", null, List.of("SELECT", "UPDATE")));
  }

  @Test
  void oneWithSomeOfTheStatementsInTheirOrderMayBeCutFromTheOther() {
    execution("shop", "POST /pay", "SELECT", "LOCK", "UPDATE");
    execution("shop", "POST /pay", "SELECT", "UPDATE");
    execution("shop", "POST /pay", "UPDATE", "SELECT");
    execution("shop", "POST /cart", "SELECT", "UPDATE");
    execution("shop", "POST /pay", "");
    List<CodeGroup> all = CodeGroup.of(parts);
    assertThat(all.stream().map(group -> group.mayBeCutFrom(all.get(0))))
        .containsExactly(false, true, false, false, false);
    assertThat(all.get(0).mayBeCutFrom(all.get(1))).isFalse();
  }

  @Test
  void thoseOfAnotherServiceOrEndpointAreAnother() {
    execution("shop", "POST /pay", "UPDATE");
    execution("billing", "POST /pay", "UPDATE");
    execution("shop", "POST /cart", "UPDATE");
    execution("shop", "POST /pay", "UPDATE");
    assertThat(groups()).containsExactly(List.of(0, 3), List.of(1), List.of(2));
  }

  @Test
  void oneOfWhichNotAllStatementsAreKnownIsAlone() {
    execution("shop", null, "UPDATE", "");
    execution("shop", null, "UPDATE", "");
    execution("shop", null, "UPDATE", Statement.NOT_SEEN);
    execution("shop", null, "UPDATE", Statement.NOT_SEEN);
    execution("shop", null);
    execution("shop", null);
    assertThat(groups()).hasSize(6);
    assertThat(CodeGroup.of(parts)).noneMatch(CodeGroup::isCode);
  }
}
