package io.isotail.incremental.explore.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.code.CodeProgram;
import io.isotail.incremental.explore.code.TransactionCode;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RaisingTest {
  /** The long fork: what matters is what the readers run at. */
  private static final String FORK =
      """
      var x = 0; var y = 0; var seen[1 to 2] = "";
      transaction setX() { write(x, 1); }
      transaction setY() { write(y, 1); }
      transaction look(n) { a := read(x); b := read(y); write(seen[n], a + "" + b); }
      session w1 { setX(); }
      session w2 { setY(); }
      session r1 { look(1); }
      session r2 { look(2); }
      final {
        a := read(seen[1]); b := read(seen[2]);
        assert not (a == "10" and b == "01" or a == "01" and b == "10"), "fork";
      }
      """;

  private static Raising raising(String text, IsolationLevel others) {
    Program program = ProgramText.parse("p", text, Map.of());
    return Raising.of(
        program, others, (mixed, level) -> AssertionVerdict.of(mixed, level, () -> true));
  }

  private static Raising.Need need(Raising raising, String kind) {
    return raising.needs().stream().filter(n -> n.kind().equals(kind)).findFirst().orElseThrow();
  }

  @Test
  void readersOfALongForkNeedPrefixWhateverTheWritersRunAt() {
    Raising raising = raising(FORK, IsolationLevel.READ_COMMITTED);
    assertThat(raising.base().fail()).isTrue();
    assertThat(raising.base().witness()).isNotNull();
    assertThat(raising.needs())
        .extracting(Raising.Need::kind)
        .containsExactly("setX", "setY", "look");
    assertThat(need(raising, "look").enough()).contains(IsolationLevel.PREFIX);
    assertThat(need(raising, "setX").enough()).isEmpty();
    assertThat(need(raising, "setX").exact()).isTrue();
    assertThat(need(raising, "setX").tried())
        .hasSize(5)
        .last()
        .extracting(Raising.Tried::level)
        .isEqualTo(IsolationLevel.SERIALIZABLE);
  }

  @Test
  void whereAllHoldNothingIsRaised() {
    Raising raising = raising(FORK, IsolationLevel.PREFIX);
    assertThat(raising.base().hold()).isTrue();
    assertThat(raising.needs()).isEmpty();
  }

  /** It would have the level of the final reads. */
  @Test
  void noTransactionIsNamedAsTheFinalOne() {
    CodeProgram program =
        CodeProgram.named("p").session("s", TransactionCode.named("final", tx -> {}));
    assertThatThrownBy(program::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("p has a transaction 'final' in the session 's'; expected another");
  }

  /** Others are not what it is raised from. */
  @Test
  void whoDeclaresLessThanTheOthersIsRaisedFromThere() {
    String counter =
        """
        var n = 0;
        transaction increment() at read-committed { a := read(n); write(n, a + 1); }
        session alice { increment(); }
        session bob { increment(); }
        final { total := read(n); assert total == 2, "lost"; }
        """;
    for (IsolationLevel others :
        List.of(IsolationLevel.SERIALIZABLE, IsolationLevel.SNAPSHOT_ISOLATION)) {
      Raising raising = raising(counter, others);
      assertThat(raising.base().fail()).as("%s", others).isTrue();
      assertThat(need(raising, "increment").enough())
          .as("%s", others)
          .contains(IsolationLevel.SNAPSHOT_ISOLATION);
      assertThat(need(raising, "increment").exact()).isTrue();
    }
    assertThat(new Raising.Need("none", List.of()).exact()).isFalse();
  }

  /** Of one kind, some calls declare a level and some do not. */
  @Test
  void whoDeclaresNoneIsNotLoweredBelowTheOthers() {
    Program program =
        ProgramText.parse(
            "p",
            """
            var n = 0;
            transaction t() { a := read(n); write(n, a + 1); }
            session one { t() at read-committed; t(); }
            """,
            Map.of());
    IsolationLevel others = IsolationLevel.PREFIX;
    assertThat(program.raised("t", IsolationLevel.CAUSAL, others).declaredLevels())
        .isEqualTo(Map.of("t", Set.of(IsolationLevel.CAUSAL)));
    assertThat(program.raised("t", IsolationLevel.SERIALIZABLE, others).declaredLevels())
        .isEqualTo(Map.of("t", Set.of(IsolationLevel.SERIALIZABLE)));
  }

  /** Raised to a level below its own, a transaction keeps its own. */
  @Test
  void aDeclaredLevelIsNeverLowered() {
    Program program =
        ProgramText.parse(
            "p",
            "var x = 0; transaction t() at prefix { a := read(x); } session s { t(); }",
            Map.of());
    assertThat(
            program
                .raised("t", IsolationLevel.CAUSAL, IsolationLevel.READ_COMMITTED)
                .declaredLevels())
        .isEqualTo(Map.of("t", Set.of(IsolationLevel.PREFIX)));
    assertThat(
            program
                .raised("t", IsolationLevel.SERIALIZABLE, IsolationLevel.READ_COMMITTED)
                .declaredLevels())
        .isEqualTo(Map.of("t", Set.of(IsolationLevel.SERIALIZABLE)));
  }

  /** There is no level to raise it to. */
  @Test
  void whatFailsAtSerializableNeedsALevelThatThereIsNot() {
    String never = "var n = 0; session a { begin write(n, 1); commit } final { assert false; }";
    List<Raising.Need> needs = raising(never, IsolationLevel.SERIALIZABLE).needs();
    assertThat(needs).hasSize(1).allMatch(need -> need.enough().isEmpty() && need.exact());
    Raising limited =
        Raising.of(
            ProgramText.parse("p", never, Map.of()),
            IsolationLevel.SERIALIZABLE,
            (mixed, level) -> new AssertionVerdict(level, false, Limit.TIME, 1, 0, null));
    assertThat(limited.needs()).hasSize(1).noneMatch(Raising.Need::exact);
  }

  @Test
  void aLimitLeavesTheAnswerOpen() {
    Program program = ProgramText.parse("p", FORK, Map.of());
    Raising raising =
        Raising.of(
            program,
            IsolationLevel.CAUSAL,
            (mixed, level) -> new AssertionVerdict(level, false, Limit.TIME, 1, 0, null));
    assertThat(raising.base().hold()).isFalse();
    List<Raising.Need> needs = raising.needs();
    assertThat(needs).allMatch(need -> need.enough().isEmpty() && !need.exact());
  }
}
