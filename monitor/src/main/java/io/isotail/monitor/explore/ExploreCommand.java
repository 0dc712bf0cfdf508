package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.monitor.explore.witness.WitnessProgram;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.resolve.ResolveException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code isotail explore}: what isolation levels allow a program. */
@Command(
    name = "explore",
    mixinStandardHelpOptions = true,
    description = {
      "Explores every history that an isolation level allows a small program, each exactly once, and"
          + " says whether the program's assertions hold in all of them.",
      "",
      "A program is sessions of transactions, in a language of its own or, in a file whose name ends"
          + " in .sql, in SQL (incremental/guide/exploring.md). It can also be made of an anomaly that"
          + " happened."
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  isotail explore --example last-item",
      "  isotail explore --level snapshot-isolation --out witness.jsonl shop.explore",
      "  isotail explore --compare snapshot-isolation serializable --example small-bank",
      "  isotail explore --mixed writeCheck=prefix --example small-bank",
      "  isotail explore --raise read-committed --example last-item",
      "  isotail explore --anomaly f8b5859806f5a42b out.json",
      "",
      "Where transactions run at different levels there is one order of the commits, and each read"
          + " fulfils the axioms of the level of its own transaction. A database may do less:"
          + " PostgreSQL's SERIALIZABLE does not see what transactions at weaker levels write.",
      "",
      "Memory: executions that have begun and not ended, bounded by the size of the program;"
          + " 200000 steps of the program, beyond which steps are run again instead; and"
          + " --max-values. A level that holds more values is not exhausted.",
      "",
      "Exit status: 0 all assertions hold at every level explored, 1 one fails, 2 bad usage or bad"
          + " input, an error of the program too, 3 a limit was reached and no failure seen. With --weakest: 0 when the weakest"
          + " level at which all assertions hold was found, 1 when they fail at the strongest one,"
          + " 3 when a limit was reached before that was known. With --compare: 0 when the levels"
          + " were compared, 3 when a limit was reached and no difference seen. With --raise: 0 when"
          + " it is enough to raise one transaction, or none, 1 when it is not, 3 when a limit was"
          + " reached. With --anomaly and --cause: 0 when all is known, 3 when it is not."
    })
public final class ExploreCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private ProgramOptions source = new ProgramOptions();

  @Mixin private WitnessOptions anomaly = new WitnessOptions();

  @Mixin private LevelOptions levels = new LevelOptions();

  @Mixin private LimitOptions limits = new LimitOptions();

  @Mixin private AnswerOptions answer = new AnswerOptions();

  @Override
  public Integer call() throws InterruptedException {
    try {
      return answered();
    } catch (ParameterException e) {
      answer.object(ExploreJson.ofError(String.valueOf(e.getMessage())));
      throw e;
    }
  }

  private int answered() throws InterruptedException {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    require(OptionRules.wrong(line.getParseResult(), source.file() != null));
    try {
      return anomaly.given() ? ofAnomaly() : ofProgram();
    } catch (CharacterCodingException e) {
      return bad(source.name() + ": no text in UTF-8");
    } catch (ResolveException | HistoryFormatException e) {
      return bad(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return bad(FileMistake.words(e));
    } catch (StackOverflowError e) {
      return bad("the program is too deep: statements or choices that stand in each other");
    } catch (OutOfMemoryError e) {
      return bad(Limit.MEMORY.reason() + "; " + LimitOptions.remedy(Limit.MEMORY));
    }
  }

  /** What levels say of a program. */
  private int ofProgram() throws IOException, InterruptedException {
    source.read();
    if (source.print()) {
      answer.print(source.printed());
      return ExitCode.PASSED;
    }
    Program program = source.program();
    LevelRun.Limits within = checkedLimits();
    Question question;
    try {
      question = levels.question(program);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    answer.checkFile(source.file());
    try {
      return question.ask(
          program, new Explorer(within, limits.method(), source::located, answer::tell), answer);
    } catch (SourceError e) {
      throw wrong(program.name() + ": " + source.located(e).getMessage());
    }
  }

  /** What levels say of an anomaly that happened. */
  private int ofAnomaly()
      throws ResolveException, HistoryFormatException, IOException, InterruptedException {
    LevelRun.Limits within = checkedLimits();
    try {
      WitnessProgram program =
          WitnessProgram.of(anomaly.find(source.file(), answer::tell).anomaly());
      WitnessRun.Said said =
          source.print()
              ? WitnessRun.printed(program)
              : WitnessRun.of(program, within, answer.json());
      answer.print(said.text());
      return said.known() ? ExitCode.PASSED : ExitCode.UNDECIDED;
    } catch (IllegalArgumentException e) {
      return bad(String.valueOf(e.getMessage()));
    }
  }

  private LevelRun.Limits checkedLimits() {
    require(limits.wrong());
    try {
      return limits.limits();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /** Refuses what is wrong with the options, if anything is. */
  private void require(@Nullable String mistake) {
    if (mistake != null) {
      throw wrong(mistake);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }

  private int bad(String message) {
    answer.object(ExploreJson.ofError(message));
    answer.tell(message);
    return ExitCode.BAD;
  }
}
