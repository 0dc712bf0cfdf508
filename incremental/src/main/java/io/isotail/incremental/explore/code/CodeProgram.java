package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds a program of Java code.
 *
 * <pre>
 * Program program =
 *     CodeProgram.named("last item")
 *         .initially("stock", 1L)
 *         .session("alice", buy)
 *         .session("bob", buy)
 *         .finalReads(tx -&gt; tx.check(tx.getLong("stock") &gt;= 0, "oversold"))
 *         .build();
 * </pre>
 */
public final class CodeProgram {
  private final String name;
  private final Map<String, Object> initial = new LinkedHashMap<>();
  private final Set<String> keys = new TreeSet<>();
  private final List<Declaration> sessions = new ArrayList<>();
  private @Nullable Declaration last;

  /** A session; its code can begin once all keys are declared. */
  private record Declaration(
      String session, List<Program.Transaction> declared, List<TransactionCode> transactions) {
    CodeExecution.Code code(Keys keys, Reruns reruns) {
      return new CodeExecution.Code(session, transactions, keys, reruns);
    }

    Program.Session running(CodeExecution.Code code) {
      return new Program.Session(
          session,
          declared,
          () -> {
            code.reruns().first();
            return CodeExecution.begin(code);
          });
    }
  }

  private CodeProgram(String name) {
    this.name = name;
  }

  /** A program without sessions. */
  public static CodeProgram named(String name) {
    return new CodeProgram(name);
  }

  /** What a variable has before any transaction. */
  public CodeProgram initially(String variable, Object value) {
    initial.put(variable, value);
    keys.add(variable);
    return this;
  }

  /**
   * Variables that are absent before any transaction, and that a {@link Transaction#scan} is to
   * find once they are written.
   */
  public CodeProgram withKeys(String... variables) {
    keys.addAll(List.of(variables));
    return this;
  }

  /** A session that runs these transactions one after another. */
  public CodeProgram session(String session, TransactionCode... transactions) {
    sessions.add(session(session, List.of(transactions)));
    return this;
  }

  /**
   * What reads the state when all sessions have ended, and checks it.
   *
   * @throws IllegalStateException if there is such a transaction already
   */
  public CodeProgram finalReads(TransactionCode reads) {
    if (last != null) {
      throw new IllegalStateException(
          name + " has final reads already; expected one transaction that makes all of them");
    }
    Program.Transaction declared = new Program.Transaction("t1", Program.FINAL, reads.level());
    last = new Declaration(Program.FINAL, List.of(declared), List.of(reads));
    return this;
  }

  /** The program. */
  public Program build() {
    Keys all = new Keys(keys);
    Reruns reruns = new Reruns(initial);
    return new Program(
        name,
        initial,
        sessions.stream().map(s -> s.running(reruns.before(s.code(all, reruns)))).toList(),
        true,
        last == null ? null : last.running(reruns.after(last.code(all, reruns))));
  }

  private static Declaration session(String session, List<TransactionCode> transactions) {
    List<Program.Transaction> declared = new ArrayList<>();
    for (TransactionCode code : transactions) {
      String own = "t" + (declared.size() + 1);
      String name = code.name();
      declared.add(
          name == null
              ? new Program.Transaction(own, session + "." + own, code.level())
              : new Program.Transaction(name, name, code.level()));
    }
    return new Declaration(session, declared, transactions);
  }
}
