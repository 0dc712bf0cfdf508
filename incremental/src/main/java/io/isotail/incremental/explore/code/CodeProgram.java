package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final List<Program.Session> sessions = new ArrayList<>();
  private Program.@Nullable Session last;

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
    return this;
  }

  /** A session that runs these transactions one after another. */
  public CodeProgram session(String session, TransactionCode... transactions) {
    sessions.add(session(session, List.of(transactions)));
    return this;
  }

  /** What reads the state when all sessions have ended, and checks it. */
  public CodeProgram finalReads(TransactionCode reads) {
    Program.Transaction declared = new Program.Transaction("t1", Program.FINAL, reads.level());
    last = session(Program.FINAL, List.of(declared), List.of(reads));
    return this;
  }

  /** The program. */
  public Program build() {
    return new Program(name, initial, sessions, true, last);
  }

  private static Program.Session session(String session, List<TransactionCode> transactions) {
    List<Program.Transaction> declared = new ArrayList<>();
    for (TransactionCode code : transactions) {
      String own = "t" + (declared.size() + 1);
      String name = code.name();
      declared.add(
          name == null
              ? new Program.Transaction(own, session + "." + own, code.level())
              : new Program.Transaction(name, name, code.level()));
    }
    return session(session, declared, transactions);
  }

  private static Program.Session session(
      String session, List<Program.Transaction> declared, List<TransactionCode> transactions) {
    return new Program.Session(
        session, declared, () -> CodeExecution.begin(session, transactions, new HashMap<>()));
  }
}
