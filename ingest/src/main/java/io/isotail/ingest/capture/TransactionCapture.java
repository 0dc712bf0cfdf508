package io.isotail.ingest.capture;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.Phase.Running;
import io.isotail.ingest.capture.Server.TransactionState;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.SqlCommenter;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A transaction under way in one session. Guarded by its session's lock. */
final class TransactionCapture {
  private static final Statement ANY_TABLE = new Statement(null, "");

  private final long number;
  private final Consumer<TransactionCapture> writeStarted;
  private final ProgramOrder statements = new ProgramOrder();
  private final Set<StatementTrait> traits = EnumSet.noneOf(StatementTrait.class);
  private long beginNs;
  private @Nullable RecordedSession aside;
  private @Nullable String ranAt;
  private Phase phase;
  private Writes writes = Writes.NONE;
  private boolean busy;
  private boolean tookSnapshot;
  private @Nullable String preparedAs;
  private @Nullable Origin origin;
  private @Nullable String place;
  private @Nullable RowVersion writerVersion;
  private @Nullable String wroteNoRowBy;
  private boolean anySavepoint;
  private boolean oneOfSeveral;
  private boolean elsewhere;
  private int chunks;

  /** What it may write; it only grows. */
  private enum Writes {
    /** Nothing. */
    NONE,
    /** What its statements say; the sink was told. */
    STATED,
    /** Anything: what it did is not known. */
    ANYTHING
  }

  /**
   * A transaction.
   *
   * @param single whether it is one statement in autocommit mode
   * @param writeStarted told once, as soon as it may write
   */
  TransactionCapture(
      long number,
      long beginNs,
      @Nullable String ranAt,
      boolean single,
      Consumer<TransactionCapture> writeStarted) {
    this.number = number;
    this.writeStarted = writeStarted;
    this.beginNs = beginNs;
    this.ranAt = ranAt;
    this.phase = single ? Running.SINGLE : Running.OPEN;
  }

  long number() {
    return number;
  }

  long beginNs() {
    return beginNs;
  }

  @Nullable String ranAt() {
    return ranAt;
  }

  void ranAt(@Nullable String level) {
    ranAt = level;
  }

  /**
   * It sees what another transaction sees, from before it began: what its session did meanwhile
   * does not bind it, nor does the time.
   *
   * @param session of its own
   */
  void importSnapshot(RecordedSession session) {
    aside = session;
    beginNs = TransactionRecord.NO_TIME;
  }

  /** The session of its own; null if it is one of its connection's. */
  @Nullable RecordedSession aside() {
    return aside;
  }

  /** Whether it is one statement in autocommit mode, over when its rows are. */
  boolean single() {
    return phase.running() == Running.SINGLE;
  }

  /** Whether it is one of several statements, some of which did something that is recorded. */
  boolean isUnderWay() {
    return !single() && (announced() || chunks > 0 || operationCount() > 0);
  }

  void becomeExplicit() {
    phase = phase.becoming(phase.running().explicit());
  }

  /** Whether the sink was told that it may write. */
  boolean announced() {
    return writes != Writes.NONE;
  }

  /** Tells the sink, unless it knows. */
  void announce() {
    if (writes == Writes.NONE) {
      writes = Writes.STATED;
      writeStarted.accept(this);
    }
  }

  /** Sets whether the database will only roll it back. */
  void failed(boolean value) {
    phase = phase.becoming(phase.running().failed(value));
  }

  /**
   * The database may have rolled it back, and what follows may be in others: what it did is not
   * known, nor its outcome.
   */
  void uncertain() {
    poison();
    phase = phase.becoming(Running.UNCERTAIN);
  }

  /**
   * It is rolled back now, if the server had not done so before. Nothing was sent in between that
   * may be in another transaction.
   */
  void certainlyRolledBack() {
    phase = phase.becoming(Running.DOOMED);
  }

  /** Whether its outcome stays unknown, whatever end is seen but a rollback right after. */
  boolean isUncertain() {
    return phase.running() == Running.UNCERTAIN;
  }

  /** The server tells its state, before an end is asked for. */
  void notice(TransactionState state) {
    if (!single() && state == TransactionState.FAILED) {
      failed(true);
    }
  }

  /** The connection was lost: before its end was asked for, unless a commit is on its way. */
  void lose() {
    if (phase instanceof Running running) {
      phase = running.lost();
    }
  }

  /** A commit is about to be sent: until it is answered, nothing else tells the outcome. */
  void commitSent() {
    if (!ended()) {
      phase = new Phase.Committing(phase.running());
    }
  }

  /** No commit is on its way, or it was answered. */
  void commitAnswered() {
    if (!ended()) {
      phase = phase.running();
    }
  }

  /** A statement that may do this is about to be sent. */
  void sends(Set<StatementTrait> statement) {
    if (!statement.isEmpty()) {
      traits.addAll(statement);
    }
  }

  /** A statement that reads or writes tables is about to be sent, or one that runs others. */
  void takesSnapshot() {
    tookSnapshot = true;
  }

  /** Whether it has its snapshot, so that no question can take it too soon. */
  boolean tookSnapshot() {
    return tookSnapshot;
  }

  /** Whether one of its statements may have done this. */
  boolean mayHave(StatementTrait trait) {
    return traits.contains(trait);
  }

  /** Whether the database may have committed it unseen. */
  boolean mayBeCommitted() {
    return phase instanceof Phase.Committing || mayHave(StatementTrait.ENDS_TRANSACTION);
  }

  /** A statement's comment tells where it comes from; the first that does is believed. */
  void comment(String comment) {
    if (origin == null) {
      origin = SqlCommenter.read(comment);
    }
  }

  /** The connection tells of its application what no comment has. */
  void application(ApplicationName connection) {
    origin = connection.with(origin);
  }

  /** It was begun at this place of the application's code; null if that is not told. */
  void calledFrom(@Nullable String codePlace) {
    place = codePlace;
  }

  @Nullable Origin origin() {
    Origin told = origin;
    if (place == null || (told != null && told.endpoint() != null)) {
      return told;
    }
    return told == null
        ? Origin.of(null, place, null)
        : Origin.of(told.application(), place, told.trace(), told.version());
  }

  /** It was prepared: what it did is certain, and its outcome is decided under this name. */
  void prepared(@Nullable String name) {
    preparedAs = name;
  }

  @Nullable String preparedAs() {
    return preparedAs;
  }

  /** Whether its outcome is that of the prepared transaction. */
  boolean isPrepared() {
    return preparedAs != null && !isUncertain() && !mayHave(StatementTrait.ENDS_TRANSACTION);
  }

  /** Whether a commit can only be answered with a rollback. */
  boolean doomed() {
    return phase.running().isDoomed();
  }

  /** Whether a statement or the commit was sent and not answered yet. */
  boolean busy() {
    return busy;
  }

  void busy(boolean value) {
    busy = value;
  }

  /** Whether its end is recorded. */
  boolean ended() {
    return phase instanceof Phase.Ended;
  }

  /** Marks its end as recorded. */
  void end() {
    phase = new Phase.Ended(phase.running());
  }

  int chunks() {
    return chunks;
  }

  int operationCount() {
    return statements.operationCount();
  }

  void added(int operations) {
    statements.added(operations);
  }

  boolean poisoned() {
    return writes == Writes.ANYTHING;
  }

  /** What it did is no longer known: it will be recorded as having possibly written anything. */
  void poison() {
    boolean first = !announced() && !ended();
    writes = Writes.ANYTHING;
    statements.clear();
    if (first) {
      writeStarted.accept(this);
    }
  }

  void add(StatementRun run) {
    Analysis analysis = run.analysis();
    elsewhere |=
        analysis instanceof Analysis.Elsewhere
            || (analysis instanceof Analysis.Opaque opaque
                && opaque.reason() != Uninterpreted.TOLD_BY_LOG);
    if (poisoned()) {
      run.detach();
    } else {
      statements.add(run);
    }
  }

  /** Whether a statement may have written unseen, and no write has shown the transaction's id. */
  boolean wroteUnderUnknownId() {
    return statements.anyUnseenWrite() && !statements.anyNamedWriter();
  }

  /** Whether it may have written tables that are not observed, and keep what is rolled back. */
  boolean mayHaveWrittenElsewhere() {
    return elsewhere;
  }

  /** It was sent with others, which the server may have committed before or after it. */
  void oneOfSeveral() {
    oneOfSeveral = true;
  }

  boolean isOneOfSeveral() {
    return oneOfSeveral;
  }

  /** It has written nothing, whatever its statements may have. */
  void wroteNothing() {
    if (statements.dropUnseenWrites()) {
      statements.addToLast(Operation.loggedNothing());
    }
  }

  /**
   * A statement that writes has written no row. A trigger for each statement may have, whatever the
   * catalog said when it was read.
   */
  void wroteNoRow(String fingerprint) {
    if (wroteNoRowBy == null) {
      wroteNoRowBy = fingerprint;
    }
  }

  /**
   * The statement that may have written unseen, where nothing has shown the id of the transaction;
   * null if there is none. Before its commit the server tells whether it has one.
   */
  @Nullable String mayHaveWrittenBy() {
    boolean unseen = wroteNoRowBy != null && !single() && !statements.anyNamedWriter();
    return unseen ? wroteNoRowBy : null;
  }

  /** A write has answered with the version of the rows that it wrote. */
  void toldVersion(RowVersion version) {
    if (!anySavepoint) {
      writerVersion = version;
    }
  }

  /** The version of all rows that its statements write; null if none has told it, or it differs. */
  @Nullable RowVersion writerVersion() {
    boolean one =
        !single()
            && !poisoned()
            && !mayHave(StatementTrait.SEVERAL_STATEMENTS)
            && !mayHave(StatementTrait.COMMITS_INSIDE)
            && !mayHave(StatementTrait.ENDS_TRANSACTION);
    return one ? writerVersion : null;
  }

  /** Adds what is known of it to its last statement. */
  void addToLast(Operation operation) {
    statements.addToLast(operation);
  }

  /** The next statement was sent before this one was answered: their order is not known. */
  void overtaken() {
    if (announced()) {
      poison();
    } else {
      statements.detachAll();
    }
  }

  /** Whether no statement came after this one, so that its rows may still be added. */
  boolean isLast(StatementRun run) {
    return statements.isLast(run);
  }

  boolean hasSavepoints() {
    return statements.hasSavepoints();
  }

  void savepoint(Object id) {
    anySavepoint = true;
    writerVersion = null;
    statements.savepoint(id);
  }

  /** Undoes what came after a savepoint. An unknown savepoint undoes nothing known for sure. */
  void rollbackTo(Object id) {
    if (statements.rollbackTo(id)) {
      failed(false);
    } else {
      poison();
    }
  }

  void release(Object id) {
    statements.release(id);
  }

  /**
   * Takes the operations collected since the last chunk, and forgets them.
   *
   * @param builder an empty one
   * @param keep a statement that may get more operations, null for none
   */
  Operations take(Operations.Builder builder, @Nullable StatementRun keep) {
    statements.moveTo(builder, keep);
    if (poisoned()) {
      builder.statement(ANY_TABLE).opaque();
    }
    chunks++;
    return builder.build();
  }
}
