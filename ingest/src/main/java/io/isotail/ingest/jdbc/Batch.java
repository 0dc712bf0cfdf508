package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.BatchRun;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.jdbc.Sending.Keys;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.Analysis.WriteKind;
import io.isotail.ingest.sql.Rewriting;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a batch, and how they are sent.
 *
 * <p>The driver sends elements one after another without waiting, as long as their answers, by its
 * estimate, fit into what the connection holds. Then it ends the group, which in autocommit mode is
 * a transaction. The estimate is one row for each element, and where the width of that is not known
 * it waits for each answer. Columns are therefore only added
 *
 * <ul>
 *   <li>where each element answers with one row of known width at most;
 *   <li>where an element may answer with several, if all elements together are no longer than what
 *       a connection holds: the driver has sent them before it has to read;
 *   <li>in autocommit mode where all elements are one group with and without them.
 * </ul>
 */
final class Batch {
  /** The driver keeps all answers. */
  private static final int MOST_ANSWERS = 10_000;

  /** The driver's estimate of an answer without a row. */
  private static final int ANSWER_BYTES = 250;

  /** What the driver takes the connection to hold. */
  private static final int GROUP_BYTES = 64_000;

  /** What a connection certainly holds while nobody reads. */
  private static final int HELD_BYTES = 32_000;

  /** So many answers at most are waited for one by one. */
  private static final int MOST_WAITS = 100;

  /**
   * An element.
   *
   * @param calls the setters that give its parameters to another form of the statement; null if
   *     that cannot have them
   */
  record Element(
      Sending sending, IntFunction<Object> parameters, @Nullable List<SetterCalls.Call> calls) {}

  /**
   * A batch that is about to be sent.
   *
   * @param sending how all elements are sent; null if each is sent as it is
   * @param statement the statement that holds them
   * @param together whether they certainly run in one transaction
   */
  record Filled(@Nullable Sending sending, Statement statement, boolean together) {

    /** Sends it. */
    @Nullable Object execute(List<Element> batch, SessionCapture session, Execution execution)
        throws Throwable {
      BatchRun run = session.batch(together);
      for (Element element : batch) {
        run.add((sending == null ? element.sending() : sending).sql(), element.parameters());
      }
      if (!batch.isEmpty()) {
        session.sends(batch.get(0).sending().told());
      }
      run.before();
      Object counts;
      try {
        counts = execution.execute();
      } catch (Throwable failure) {
        run.failed(JdbcFailures.ofBatch(failure));
        throw sending == null ? failure : sending.restored(failure);
      }
      long[] told =
          counts instanceof int[] ints
              ? Arrays.stream(ints).asLongStream().toArray()
              : counts instanceof long[] longs ? longs : new long[0];
      if (sending != null) {
        readAnswers(run, told, session);
      }
      run.after(told);
      return counts;
    }

    private void readAnswers(BatchRun run, long[] counts, SessionCapture session) {
      try (ResultSet rows = statement.getGeneratedKeys()) {
        JdbcRow row = new JdbcRow(rows);
        while (rows.next()) {
          run.answered(row, counts);
        }
      } catch (SQLException e) {
        session.unreadAnswer(e);
      }
    }
  }

  /** The driver's execution of the batch, which gives the counts. */
  interface Execution {
    @Nullable Object execute() throws Throwable;
  }

  private final SessionCapture session;
  private final List<Element> elements = new ArrayList<>();

  Batch(SessionCapture session) {
    this.session = session;
  }

  void add(Element element) {
    elements.add(element);
  }

  void clear() {
    elements.clear();
  }

  /** Takes the elements out. */
  List<Element> take() {
    List<Element> taken = List.copyOf(elements);
    elements.clear();
    return taken;
  }

  /**
   * Puts elements into the form of the statement that is to be executed.
   *
   * @param own the application's form, which holds them
   * @param forms the statement's forms; null if it has no other one
   */
  Filled filled(
      List<Element> batch, Statement own, @Nullable TwoForms forms, PostgresSettings driver) {
    Filled asItIs = new Filled(null, own, false);
    if (forms == null || batch.isEmpty() || batch.size() > MOST_ANSWERS) {
      return asItIs;
    }
    List<IntFunction<Object>> executions = batch.stream().map(Element::parameters).toList();
    Sending sending = batch.get(0).sending().on(own, session, executions, () -> false);
    Rewriting rewriting = sending.isRewritten() ? sending.sql().rewriting() : null;
    // The keys of all elements that the application reads do not tell of which one they are.
    if (rewriting == null
        || sending.keys() != Keys.HIDDEN
        || !(rewriting.addition().analysis() instanceof Analysis.Written written)
        || !mayAnswer(written, batch.size(), driver)) {
      return asItIs;
    }
    long bytes = 0;
    List<List<SetterCalls.Call>> calls = new ArrayList<>(batch.size());
    for (Element element : batch) {
      if (element.calls() == null) {
        return asItIs;
      }
      calls.add(element.calls());
      bytes += SetterCalls.bytes(sending.text(), element.calls());
    }
    if (!written.oneRow() && bytes > HELD_BYTES) {
      return asItIs;
    }
    try {
      PreparedStatement filled = forms.filled(sending, calls);
      own.clearBatch();
      return new Filled(sending, filled, session.autoCommit());
    } catch (Throwable e) {
      session.unreadAnswer(e);
      return asItIs;
    }
  }

  private boolean mayAnswer(Analysis.Written written, int size, PostgresSettings driver) {
    if (!driver.known() || (driver.mergesInserts() && written.kind() == WriteKind.INSERT)) {
      return false;
    }
    int bytes = session.answerBytes(written);
    boolean oneGroup =
        bytes >= 0 && !driver.simple() && size * (ANSWER_BYTES + bytes) < GROUP_BYTES;
    // Deleted rows tell who wrote them, not whether one transaction has deleted them all.
    boolean tellsTransaction = written.versioned() && written.kind() != WriteKind.DELETE;
    if (session.autoCommit()) {
      return oneGroup && tellsTransaction;
    }
    // One that names its rows tells enough without an answer that would be waited for.
    return bytes >= 0 || (!written.bounded() && size <= MOST_WAITS);
  }
}
