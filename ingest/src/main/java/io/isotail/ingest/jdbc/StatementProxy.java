package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Failure;
import io.isotail.ingest.capture.ResultCapture;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import io.isotail.ingest.jdbc.Sending.Keys;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.StatementTrait;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Stands in for a statement, prepared or not. */
final class StatementProxy extends ProxyHandler {
  /** Stands for a statement that the driver has in a form of its own. */
  private static final String NOT_TOLD = "CALL not_told()";

  /** So many rows come with the answer of a write of which nobody knows how many it has. */
  private static final int FIRST_PORTION = 1_000;

  private static final int LATER_PORTIONS = 10_000;

  private final ConnectionProxy connection;
  private final SessionCapture session;
  private final Parameters parameters = new Parameters();

  /** The calls that set parameters, where nobody else keeps them and somebody listens. */
  private @Nullable SetterCalls setters;

  private final Batch batch;
  private final @Nullable Sending prepared;
  private final @Nullable TwoForms forms;
  private final @Nullable Statement only;

  /** {@link #real} without a cast. The two are changed together, by {@link #turnTo}. */
  private Statement current;

  private @Nullable StatementRun lastRun;
  private @Nullable Sending lastSending;
  private @Nullable ResultSet lastRealResult;
  private @Nullable Object lastResult;
  private @Nullable ResultSetProxy lastKeys;
  private long lastUpdateCount = -1;

  /** The rows that were counted because the driver was not told how many there are; or -1. */
  private long counted = -1;

  /** Whether an execution was asked for that is not sent yet. */
  private volatile boolean waits;

  /** Whether that was cancelled meanwhile, of which the driver cannot know. */
  private volatile boolean cancelled;

  /** Whether what failed last is to be sent again as the application wrote it. */
  private boolean sendsAgain;

  /** What the server has warned of; null if it was not asked for, or of nothing. */
  private @Nullable SQLWarning keptWarnings;

  /** The form that was executed last; null if none was. */
  private @Nullable Statement executedLast;

  /** A statement with its parameter values. */
  private record Bound(Sending sending, IntFunction<Object> parameters) {}

  /**
   * Stands in for a statement.
   *
   * @param prepared a prepared statement as the application wrote it; null for a plain one
   * @param forms its two forms, of which {@code real} is one; null if it has only that
   */
  StatementProxy(
      Statement real,
      Class<? extends Statement> type,
      ConnectionProxy connection,
      @Nullable Sending prepared,
      @Nullable TwoForms forms) {
    super(real, type, connection.classes());
    this.connection = connection;
    this.session = connection.session();
    this.prepared = prepared;
    this.forms = forms;
    this.only = forms == null ? real : null;
    this.current = real;
    this.batch = new Batch(session);
  }

  SessionCapture session() {
    return session;
  }

  private Statement statement() {
    return current;
  }

  /** From here on calls go to another form of the statement. */
  private void turnTo(Statement form) {
    current = form;
    replace(form);
  }

  /** The form that the application wrote. */
  private Statement own() throws Throwable {
    return forms == null ? Objects.requireNonNull(only) : forms.own();
  }

  @Override
  Object bare() throws Throwable {
    return own();
  }

  /** The application's own limit of rows, 0 for none or when the driver does not tell. */
  long maxRows() {
    try {
      return statement().getMaxRows();
    } catch (SQLException e) {
      return 0;
    }
  }

  /** A failure of how a statement was sent, as it would be if nothing had been added. */
  private Throwable placed(@Nullable Sending sent, Throwable failure) {
    return sent == null || connection.postgres().simple()
        ? failure
        : sent.placed(failure, prepared != null);
  }

  @Override
  @Nullable Object call(RealMethod method, Object[] arguments) throws Throwable {
    switch (method.called()) {
      case EXECUTE, EXECUTE_QUERY, EXECUTE_UPDATE, EXECUTE_LARGE_UPDATE, EXECUTE_WITH_FLAGS -> {
        return execute(method, arguments);
      }
      case EXECUTE_BATCH -> {
        return executeBatch(method, arguments);
      }
      case ADD_BATCH -> {
        Object result = onOwn(method, arguments);
        Bound bound = bound(arguments);
        batch.add(
            new Batch.Element(
                bound.sending(),
                bound.parameters(),
                forms == null || arguments.length > 0 ? null : forms.element()));
        return result;
      }
      case CLEAR_BATCH -> {
        batch.clear();
        return onOwn(method, arguments);
      }
      case CANCEL -> {
        if (waits) {
          cancelled = true;
        }
        return delegate(method, arguments);
      }
      case TO_STRING -> {
        return text();
      }
      case GET_RESULT_SET -> {
        return result((ResultSet) delegate(method, arguments));
      }
      case GET_GENERATED_KEYS -> {
        return generatedKeys(
            isLast(Keys.HIDDEN) ? noKeys() : (ResultSet) delegate(method, arguments));
      }
      case CLOSE_ON_COMPLETION, CLEAR_PARAMETERS -> {
        return set(method, arguments);
      }
      case GET_META_DATA -> {
        return metaData(method, arguments);
      }
      case GET_UPDATE_COUNT -> {
        Object told = delegate(method, arguments);
        return counted < 0 ? told : count(method);
      }
      case GET_MORE_RESULTS -> {
        readRest();
        counted = -1;
        Object more = delegate(method, arguments);
        rowsEnded();
        lastRun = null;
        return more;
      }
      case GET_WARNINGS -> {
        return keptWarnings == null ? onCurrent(method, arguments) : keptWarnings;
      }
      case CLEAR_WARNINGS -> {
        keptWarnings = null;
        return onCurrent(method, arguments);
      }
      case GET_CONNECTION -> {
        return connection.proxy();
      }
      case CLOSE -> {
        return close(method, arguments);
      }
      default -> {
        if (method.isSetter() && arguments.length > 0) {
          return set(method, arguments);
        }
        return onCurrent(method, arguments);
      }
    }
  }

  private @Nullable Object close(RealMethod method, Object[] arguments) throws Throwable {
    readRest();
    try {
      TwoForms both = forms;
      if (both == null) {
        return delegate(method, arguments);
      }
      both.close();
      turnTo(both.own());
      return null;
    } finally {
      rowsEnded();
    }
  }

  /** What the driver says of the statement as the application wrote it. */
  private String text() throws Throwable {
    Sending asItIs = prepared;
    boolean neverMade = forms != null && forms.ownIfMade() == null && statement().isClosed();
    return neverMade && asItIs != null ? asItIs.text() : own().toString();
  }

  private @Nullable Object set(RealMethod method, Object[] arguments) throws Throwable {
    Object result =
        forms != null && forms.sets(method, arguments)
            ? delegate(method, arguments)
            : onOwn(method, arguments);
    noteSetter(method, arguments);
    return result;
  }

  /** Asks the form that is to be executed: the driver remembers what the server told it. */
  private @Nullable Object metaData(RealMethod method, Object[] arguments) throws Throwable {
    session.touch();
    Sending sending =
        prepared == null || forms == null || !forms.isUsable()
            ? null
            : prepared.on(
                statement(), session, List.of(parameters.snapshot()), this::takesPortions);
    if (sending != null && forms != null && sending.isRewritten() && sending.keys() == Keys.NONE) {
      try {
        ResultSetMetaData all = forms.ready(sending).getMetaData();
        return all == null ? null : HiddenMetaData.hiding(all, sending.hidden(), classes());
      } catch (SQLException failure) {
        if (!session.mayBeSentAgain(sending.sql(), null, JdbcFailures.of(failure))) {
          throw placed(sending, failure);
        }
      }
    }
    return onOwn(method, arguments);
  }

  /** Passes a call on to the application's own form of the statement. */
  private @Nullable Object onOwn(RealMethod method, Object[] arguments) throws Throwable {
    return method.on(own(), arguments);
  }

  /** Passes a call on to the form of the statement that was executed last, or made first. */
  private @Nullable Object onCurrent(RealMethod method, Object[] arguments) throws Throwable {
    try {
      return delegate(method, arguments);
    } catch (SQLException failure) {
      throw placed(forms == null ? null : forms.sentBy(current), failure);
    }
  }

  private void noteSetter(RealMethod method, Object[] arguments) throws Throwable {
    if (forms != null) {
      forms.note(method, arguments);
    }
    if (prepared == null) {
      return;
    }
    if (method.called() == Called.CLEAR_PARAMETERS) {
      parameters.clear();
      setters = null;
    } else if (arguments.length >= 2 && arguments[0] instanceof Integer index) {
      parameters.set(index, method.called(), arguments);
      if (forms == null && connection.isListenedTo()) {
        SetterCalls kept = setters == null ? new SetterCalls() : setters;
        kept.put(method, arguments);
        setters = kept;
      }
    }
  }

  private Bound bound(Object[] arguments) {
    Sending analyzed = prepared;
    if (analyzed != null && (arguments.length == 0 || !(arguments[0] instanceof String))) {
      return new Bound(analyzed, parameters.snapshot());
    }
    String text = arguments[0] instanceof String given ? given : NOT_TOLD;
    return new Bound(
        Sending.asItIs(session, text, Placeholders.NONE, asked(arguments)),
        SessionCapture::noParameter);
  }

  /** How the statement is sent this time. Flags of pgjdbc's own say how it is to be sent. */
  private Sending sending(RealMethod method, Bound bound, Object[] arguments) {
    boolean plain =
        prepared == null
            ? method.called() == Called.EXECUTE_WITH_FLAGS
                || (arguments.length == 2
                    && !AskedKeys.of(arguments[1], connection.postgres()).isTold())
            : forms == null || !forms.isUsable();
    return plain
        ? bound.sending()
        : bound
            .sending()
            .on(statement(), session, List.of(bound.parameters()), this::takesPortions);
  }

  private @Nullable Object execute(RealMethod method, Object[] arguments) throws Throwable {
    readRest();
    rowsEnded();
    Bound bound = bound(arguments);
    beginWait();
    Sending sending = sending(method, bound, arguments);
    session.sends(bound.sending().told());
    try {
      return execute(method, arguments, sending, bound, connection.isListenedTo());
    } catch (Throwable failure) {
      if (!sendsAgain) {
        throw placed(sending, failure);
      }
    }
    session.sends(bound.sending().told());
    return execute(method, arguments, bound.sending(), bound, false);
  }

  private @Nullable Object execute(
      RealMethod method, Object[] arguments, Sending sending, Bound bound, boolean tells)
      throws Throwable {
    lastRealResult = null;
    lastKeys = null;
    lastUpdateCount = -1;
    counted = -1;
    keptWarnings = null;
    sendsAgain = false;
    StatementRun run = session.beforeStatement(sending.sql(), bound.parameters());
    SentStatement sent = tells ? connection.sending(bound.sending(), calls(bound.sending())) : null;
    lastRun = run;
    lastSending = sending;
    if (run != null && sending.sql().may(StatementTrait.LOCKS_ROWS) && fetchesInPortions()) {
      run.lockLater();
    }
    Object answer;
    try {
      endWait();
      boolean inPortions = sending.isOpenEnded() && takesPortions();
      answer = send(method, arguments, sending, inPortions);
      if (inPortions && countOf(answer) < 0) {
        counted = takePortions(run);
      }
    } catch (Throwable failure) {
      executedLast = null; // It has no rows to be ended.
      Failure why = JdbcFailures.of(failure);
      sendsAgain = sending.isRewritten() && session.mayBeSentAgain(sending.sql(), run, why);
      session.statementFailed(run, why, sendsAgain);
      throw failure;
    }
    if (sending.sql().analysis().mayWrite()) {
      keepWarnings();
    }
    if (sent != null) {
      sent.counted(counted >= 0 ? counted : countOf(answer));
    }
    if (counted >= 0) {
      updated(run, sending, counted);
      return answer instanceof Boolean ? answer : count(method);
    }
    if (answer instanceof Number count) {
      updated(run, sending, count.longValue());
    } else if (answer instanceof Boolean hasRows) {
      if (hasRows) {
        session.afterQuery(run);
      } else {
        updated(run, sending, updateCount());
      }
    } else if (answer instanceof ResultSet rows) {
      session.afterQuery(run);
      return result(rows);
    }
    return answer;
  }

  /** The calls that set the parameters, to be made again; null if they cannot. */
  private @Nullable List<SetterCalls.Call> calls(Sending of) {
    if (of != prepared) {
      return List.of();
    }
    if (forms != null) {
      return forms.calls();
    }
    SetterCalls kept = setters;
    return kept == null ? List.of() : kept.areRepeatable() ? kept.all() : null;
  }

  private long countOf(@Nullable Object answer) {
    return answer instanceof Number count ? count.longValue() : updateCount();
  }

  /** Counts the rows that a write answers with; the driver knows their number at the end only. */
  private long takePortions(@Nullable StatementRun run) throws SQLException {
    ResultCapture capture = run == null ? null : session.result(run);
    try (ResultSet rows = statement().getGeneratedKeys()) {
      rows.setFetchSize(LATER_PORTIONS);
      long count = read(rows, capture);
      if (capture != null) {
        capture.exhausted(true);
      }
      return count;
    }
  }

  /** Reads all rows, and says how many there were. */
  private long read(ResultSet rows, @Nullable ResultCapture capture) throws SQLException {
    JdbcRow row = new JdbcRow(rows, names());
    long read = 0;
    while (rows.next()) {
      if (capture != null) {
        capture.row(row);
      }
      read++;
    }
    return read;
  }

  /** Whether the driver can take in portions what the next execution answers. */
  private boolean takesPortions() {
    try {
      return !session.autoCommit()
          && connection.postgres().fetches()
          && statement().getResultSetType() == ResultSet.TYPE_FORWARD_ONLY
          && statement().getResultSetHoldability() == ResultSet.CLOSE_CURSORS_AT_COMMIT
          && statement().getConnection().getHoldability() == ResultSet.CLOSE_CURSORS_AT_COMMIT;
    } catch (SQLException e) {
      return false;
    }
  }

  private void beginWait() {
    cancelled = false;
    waits = true;
  }

  private void endWait() throws SQLException {
    waits = false;
    if (cancelled) {
      throw DriverErrors.cancelled(statement());
    }
  }

  private @Nullable Object send(
      RealMethod method, Object[] arguments, Sending sending, boolean inPortions) throws Throwable {
    Statement before = statement();
    if (sending.isRewritten() && prepared != null && forms != null) {
      turnTo(forms.ready(sending));
      endRows(before);
      return executed(inPortions, () -> delegate(method, arguments));
    }
    turnTo(own());
    endRows(before);
    if (!sending.isRewritten()) {
      return delegate(method, arguments);
    }
    if (sending.keys() == Keys.NONE) {
      Object[] changed = arguments.clone();
      changed[0] = sending.text();
      return delegate(method, changed);
    }
    String text = sending.text();
    return executed(
        inPortions,
        () ->
            switch (method.called()) {
              case EXECUTE -> current.execute(text, Statement.RETURN_GENERATED_KEYS);
              case EXECUTE_UPDATE -> current.executeUpdate(text, Statement.RETURN_GENERATED_KEYS);
              case EXECUTE_LARGE_UPDATE ->
                  current.executeLargeUpdate(text, Statement.RETURN_GENERATED_KEYS);
              default -> delegate(method, arguments); // A query that writes: it is refused.
            });
  }

  /** What the driver does with a statement. */
  private interface Execution {
    @Nullable Object execute() throws Throwable;
  }

  /**
   * Executes the statement, perhaps so that the driver holds no more of its answer than it must.
   */
  private @Nullable Object executed(boolean inPortions, Execution execution) throws Throwable {
    if (!inPortions) {
      return execution.execute();
    }
    Statement executed = current;
    executed.setFetchSize(FIRST_PORTION);
    try {
      return execution.execute();
    } finally {
      fetchAsBefore(executed);
    }
  }

  /** As the application has it: with a fetch size of its own it is not executed so. */
  private static void fetchAsBefore(Statement executed) {
    try {
      executed.setFetchSize(0);
    } catch (SQLException e) {
      // It was closed with its connection, and nothing is fetched any more.
    }
  }

  /** An execution ends the rows of the one before, in whichever form of the statement that was. */
  private void endRows(Statement before) throws SQLException {
    Statement last = executedLast;
    executedLast = statement();
    if (before == statement() || before != last) {
      return; // The driver does it, or there are none: not every driver may be asked for them then.
    }
    if (!before.isClosed()) {
      before.getMoreResults(Statement.CLOSE_ALL_RESULTS);
    } else {
      Statement own = forms == null ? only : forms.ownIfMade();
      if (own != null && own.isCloseOnCompletion()) {
        own.close();
      }
    }
  }

  private @Nullable String asked(Object[] arguments) {
    return arguments.length < 2 ? null : AskedKeys.of(arguments[1], connection.postgres()).list();
  }

  private boolean fetchesInPortions() {
    try {
      return statement().getFetchSize() != 0;
    } catch (SQLException e) {
      return true;
    }
  }

  private long updateCount() {
    try {
      return statement().getUpdateCount();
    } catch (SQLException e) {
      return -1;
    }
  }

  /** What was counted, as a method gives it. */
  private Number count(RealMethod method) {
    if (method.returns() == long.class) {
      return counted;
    }
    return counted > Integer.MAX_VALUE ? Statement.SUCCESS_NO_INFO : (int) counted;
  }

  private void updated(@Nullable StatementRun run, Sending sending, long count) {
    lastUpdateCount = count;
    if (run != null && sending.keys() == Keys.HIDDEN && counted < 0) {
      readKeys(run, count);
    }
    session.afterUpdate(run, count, sending.keys() == Keys.SHARED);
  }

  /** A question of isotail's would take them from the driver. */
  private void keepWarnings() {
    if (session.asksAfterStatements()) {
      try {
        keptWarnings = statement().getWarnings();
      } catch (SQLException e) {
        keptWarnings = null; // The application is told when it asks.
      }
    }
  }

  /** How the database stores names. */
  StoredNames names() {
    return connection.names();
  }

  /** Reads what a write answers before its transaction may end. */
  private void readKeys(StatementRun run, long count) {
    ResultCapture capture = session.result(run);
    if (capture == null) {
      return;
    }
    try (ResultSet rows = statement().getGeneratedKeys()) {
      capture.exhausted(read(rows, capture) == count);
    } catch (SQLException e) {
      session.unreadAnswer(e);
    }
  }

  private @Nullable Object executeBatch(RealMethod method, Object[] arguments) throws Throwable {
    readRest();
    rowsEnded();
    lastRun = null;
    counted = -1;
    keptWarnings = null;
    Statement before = statement();
    Statement own = own();
    turnTo(own);
    List<Batch.Element> elements = batch.take();
    beginWait();
    Batch.Filled filled = batch.filled(elements, own, forms, connection.postgres());
    lastSending = filled.sending();
    turnTo(filled.statement());
    endRows(before);
    List<SentStatement> sent =
        connection.isListenedTo()
            ? elements.stream().map(e -> connection.sending(e.sending(), e.calls())).toList()
            : List.of();
    Object counts =
        filled.execute(
            elements,
            session,
            () -> {
              endWait();
              return delegate(method, arguments);
            });
    for (int i = 0; i < sent.size(); i++) {
      if (counts instanceof int[] ints && i < ints.length) {
        sent.get(i).counted(ints[i]);
      }
    }
    return counts;
  }

  private @Nullable Object result(@Nullable ResultSet rows) {
    if (rows == null) {
      return null;
    }
    if (rows == lastRealResult) {
      return lastResult;
    }
    lastRealResult = rows;
    Sending sending = lastSending;
    int hidden = sending == null || sending.keys() != Keys.NONE ? 0 : sending.hidden();
    lastResult = new ResultSetProxy(rows, this, session.result(lastRun), hidden).proxy();
    return lastResult;
  }

  private @Nullable Object generatedKeys(@Nullable ResultSet rows) {
    if (rows == null) {
      return null;
    }
    ResultSetProxy known = lastKeys;
    if (known != null && known.real() == rows) {
      return known.proxy();
    }
    ResultCapture capture =
        isLast(Keys.HIDDEN) ? null : session.generatedKeys(lastRun, lastUpdateCount);
    Sending sending = lastSending;
    boolean shared = sending != null && isLast(Keys.SHARED);
    ResultSetProxy keys =
        new ResultSetProxy(rows, this, capture, sending != null && shared ? sending.hidden() : 0);
    if (shared) {
      keys.holdsAll();
      lastKeys = keys;
    }
    return keys.proxy();
  }

  private boolean isLast(Keys keys) {
    return lastSending != null && lastSending.keys() == keys;
  }

  /** Reads what the application has left of the keys that it asked for: they are about to go. */
  private void readRest() {
    StatementRun run = lastRun;
    if (run == null || !isLast(Keys.SHARED) || lastUpdateCount <= 0) {
      return;
    }
    ResultSetProxy keys = lastKeys;
    if (keys == null) {
      readKeys(run, lastUpdateCount);
    } else {
      keys.readRest();
    }
    lastKeys = null;
  }

  /** What the driver answers where no keys were asked for. */
  private @Nullable ResultSet noKeys() throws SQLException {
    Statement other = statement().getConnection().createStatement();
    other.closeOnCompletion();
    return other.getGeneratedKeys();
  }

  private void rowsEnded() {
    StatementRun run = lastRun;
    if (run != null) {
      session.rowsEnded(run);
    }
  }
}
