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

  /**
   * What a variable has before any transaction.
   *
   * @throws IllegalArgumentException if one of the two is null
   */
  public CodeProgram initially(String variable, Object value) {
    given(variable, "the name of a variable is null; expected one");
    given(
        value,
        "'%1$s' is initially null; expected a value, or withKeys(\"%1$s\") for one that is absent"
            .formatted(variable));
    initial.put(variable, value);
    keys.add(variable);
    return this;
  }

  /**
   * Variables that are absent before any transaction, and that a {@link Transaction#scan} is to
   * find once they are written.
   */
  public CodeProgram withKeys(String... variables) {
    for (String variable : variables) {
      given(variable, "the name of a variable is null; expected one");
      keys.add(variable);
    }
    return this;
  }

  /**
   * A session that runs these transactions one after another.
   *
   * @throws IllegalArgumentException if there is none, or one of them is null
   */
  public CodeProgram session(String session, TransactionCode... transactions) {
    given(session, "the name of a session is null; expected one");
    if (transactions.length == 0) {
      throw new IllegalArgumentException(
          "%s: session '%s' has no transaction; expected at least one".formatted(name, session));
    }
    for (int i = 0; i < transactions.length; i++) {
      given(
          transactions[i],
          "%s.t%d is null; expected the code of a transaction".formatted(session, i + 1));
    }
    sessions.add(session(session, List.of(transactions)));
    return this;
  }

  /**
   * What reads the state when all sessions have ended, and checks it.
   *
   * @throws IllegalStateException if there is such a transaction already
   */
  public CodeProgram finalReads(TransactionCode reads) {
    given(reads, Program.FINAL + ".t1 is null; expected the code of a transaction");
    if (last != null) {
      throw new IllegalStateException(
          name + " has final reads already; expected one transaction that makes all of them");
    }
    Program.Transaction declared = new Program.Transaction("t1", Program.FINAL, reads.level());
    last = new Declaration(Program.FINAL, List.of(declared), List.of(reads));
    return this;
  }

  /** Code that no compiler has checked may give null. */
  private void given(@Nullable Object value, String otherwise) {
    if (value == null) {
      throw new IllegalArgumentException(name + ": " + otherwise);
    }
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
