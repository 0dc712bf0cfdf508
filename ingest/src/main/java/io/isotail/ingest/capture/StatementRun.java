package io.isotail.ingest.capture;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a statement. It holds its place in the transaction's program order: rows that
 * the application reads later count as read when the statement ran.
 */
public final class StatementRun {
  private final AnalyzedSql sql;
  private final Analysis analysis;
  private final IntFunction<Object> parameters;
  private final TransactionCapture transaction;
  private final List<Operation> operations = new ArrayList<>(2);
  private final List<Operation> late = new ArrayList<>(0);
  private boolean lateHandedOver;
  private @Nullable Operation besides;
  private boolean told;
  private boolean unseenTold;
  private boolean undone;
  private boolean detached;
  private boolean locksLater;
  private StatementTally.@Nullable Kind notCaptured;
  private boolean anyRowSeen;
  private @Nullable Statement statement;
  private @Nullable ObservedTable statementOf;

  StatementRun(
      AnalyzedSql sql,
      Analysis analysis,
      IntFunction<Object> parameters,
      TransactionCapture transaction) {
    this.sql = sql;
    this.analysis = analysis;
    this.parameters = parameters;
    this.transaction = transaction;
  }

  /** The statement as analysed from its text. */
  AnalyzedSql sql() {
    return sql;
  }

  /** What it does in its session; may be more cautious than the text's own analysis. */
  Analysis analysis() {
    return analysis;
  }

  TransactionCapture transaction() {
    return transaction;
  }

  /** Whether it was answered, and the last of its transaction with it. */
  public boolean isAnswered() {
    return !transaction.busy();
  }

  /** Whether its transaction is this statement, unless others are said to be of it. */
  public boolean isSingle() {
    return transaction.single();
  }

  /** The value of an operand in this execution. */
  Object value(Operand operand) {
    return operand.value(sql.slots(), parameters);
  }

  /** The statement as operations on a table name it. */
  Statement statement(ObservedTable table) {
    Statement known = statement;
    if (known == null || !table.equals(statementOf)) {
      boolean inserts =
          analysis instanceof Analysis.Insert insert
              && insert.conflict() == Analysis.OnConflict.FAIL;
      known =
          new Statement(
              table.identityName(),
              sql.fingerprint(),
              table.namesWriters(),
              inserts,
              analysis.mayWrite() ? List.of() : table.contentColumns());
      statement = known;
      statementOf = table;
    }
    return known;
  }

  /** The value of a parameter in this execution, from 1. */
  Object parameter(int number) {
    return parameters.apply(number);
  }

  List<Operation> operations() {
    return operations;
  }

  /**
   * Adds an operation, before the late ones.
   *
   * @return false if late ones were handed over, so that its place is gone
   */
  boolean add(Operation operation) {
    if (lateHandedOver) {
      return false;
    }
    tellUnseenBefore(operation);
    operations.add(operation);
    transaction.added(1);
    return true;
  }

  /** Adds an operation that took place after all others of the statement. */
  void addLate(Operation operation) {
    tellUnseenBefore(operation);
    late.add(operation);
    transaction.added(1);
  }

  /** A trigger of the transaction, though it wrote no row, may have written what is read now. */
  private void tellUnseenBefore(Operation operation) {
    if (!unseenTold && operation.readsWriter()) {
      String by = transaction.mayHaveWrittenBy();
      if (by != null) {
        unseenTold = true;
        operations.add(Operation.elsewhere(by));
        transaction.added(1);
      }
    }
  }

  /** It may write, and has written no row that is known; its triggers may have. */
  void wroteNoRow() {
    transaction.wroteNoRow(sql.fingerprint());
  }

  /** Moves its operations to a builder, in their order. */
  void moveTo(Operations.Builder builder) {
    for (Operation operation : operations) {
      operation.addTo(builder);
    }
    for (Operation operation : late) {
      operation.addTo(builder);
    }
    lateHandedOver |= !late.isEmpty();
    operations.clear();
    late.clear();
  }

  /** Whether it is a write that answers the application with rows. */
  boolean answersRows() {
    return (analysis instanceof Analysis.Update update && update.returning() != null)
        || (analysis instanceof Analysis.Insert insert && insert.returning() != null)
        || (analysis instanceof Analysis.Delete delete && delete.returning() != null)
        || (analysis instanceof Analysis.Written written && written.answersApplication());
  }

  /** Whether the rows that it wrote have told what it did. */
  boolean told() {
    return told;
  }

  /** Puts {@code exact} in the place of what was assumed. */
  void replace(List<Operation> exact) {
    told = true;
    if (exact.isEmpty()) {
      wroteNoRow();
    }
    transaction.added(exact.size() - operations.size());
    operations.clear();
    for (Operation operation : exact) {
      operations.add(operation); // addAll would copy the list first.
    }
    if (besides != null) {
      add(besides);
    }
  }

  /** What it may have done besides, whatever the rows that it wrote tell. */
  void besides(Operation operation) {
    besides = operation;
    add(operation);
  }

  /** Its rows are locked, and read again, only when they are fetched. */
  public void lockLater() {
    locksLater = true;
  }

  boolean locksLater() {
    return locksLater;
  }

  /** How its statement is counted; null if as captured. */
  StatementTally.@Nullable Kind notCaptured() {
    return notCaptured;
  }

  /** Its statement is counted as one of these. */
  void notCaptured(StatementTally.@Nullable Kind kind) {
    notCaptured = kind;
  }

  /**
   * The application has read a row that tells nothing; the first was counted with the statement.
   */
  void rowPassed() {
    if (anyRowSeen && notCaptured != null) {
      notCaptured.row();
    }
    anyRowSeen = true;
  }

  boolean undone() {
    return undone;
  }

  void undo() {
    undone = true;
  }

  /** Whether its operations were handed over, so that none can be added. */
  boolean detached() {
    return detached;
  }

  void detach() {
    detached = true;
  }
}
