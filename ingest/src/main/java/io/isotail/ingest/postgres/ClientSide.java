package io.isotail.ingest.postgres;

import static io.isotail.ingest.postgres.Message.BODY;

import io.isotail.ingest.capture.Server.TransactionState;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.postgres.Awaited.Kind;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.CommentedSql;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.TransactionControl;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handles what the client sends: adds columns to statements, remembers what the server is to
 * answer, and passes everything on. For one thread.
 */
final class ClientSide {
  /** Stands for a text that is not read, or not known. */
  private static final String NOT_TOLD = "not told";

  /** Stands for the call of a function that is named by a number. */
  private static final String CALL = "CALL by_number()";

  /** A longer Query is not put together, nor read: it goes on as it comes. */
  static final int MOST_QUERY_BYTES = 16 << 20;

  private static final int[] NO_TYPES = {};

  private final Talk talk;
  private final SessionCapture session;
  private final Executions executions;
  private final Binds binds;

  /** What was analyzed ahead for the next message; null for nothing. */
  private @Nullable Analyzing analyzed;

  ClientSide(Talk talk, SessionCapture session, Executions executions) {
    this.talk = talk;
    this.session = session;
    this.executions = executions;
    this.binds = new Binds(talk, executions, this::notTold);
  }

  /** Whether a message of the client is looked at. */
  static boolean looksAt(byte type) {
    return switch (type) {
      case MessageTypes.BIND,
          MessageTypes.CLOSE,
          MessageTypes.COPY_DONE,
          MessageTypes.COPY_FAIL,
          MessageTypes.DESCRIBE,
          MessageTypes.EXECUTE,
          MessageTypes.FUNCTION_CALL,
          MessageTypes.PARSE,
          MessageTypes.QUERY,
          MessageTypes.SYNC ->
          true;
      default -> false;
    };
  }

  /** A longer call of a function is not put together: nothing of it is read. */
  static final int MOST_CALL_BYTES = 64 << 10;

  /** Whether a message is too long to be put together. */
  static boolean isTooLong(byte type, int length) {
    return (type == MessageTypes.QUERY && length > MOST_QUERY_BYTES)
        || (type == MessageTypes.FUNCTION_CALL && length > MOST_CALL_BYTES);
  }

  /** A message begins that is too long, and goes on unseen: a Query may do anything. */
  void longMessage(byte type) {
    talk.begins(SessionCapture.nowNs());
    if (talk.copyingIn || talk.skipping) {
      return;
    }
    if (type == MessageTypes.FUNCTION_CALL) {
      functionCall();
    } else {
      Undo undo = talk.names.executes(NamesInSql.ANY, this::notTold).before(talk.names.query());
      Prepared unread = notTold();
      Portal portal = new Portal(unread, SessionCapture::noParameter, Formats.DESCRIBED);
      executions.sends(portal);
      talk.awaited.add(new Awaited(Kind.QUERY, unread, portal, undo));
    }
  }

  /**
   * Handles a message, and passes it on as it is or changed.
   *
   * @return what is to be asked before it is handled again; null if it was passed on
   */
  @Nullable Check handle(Message message, Wires wires) {
    byte type = message.type();
    talk.begins(SessionCapture.nowNs());
    if (type == MessageTypes.BIND && !talk.copyingIn && !talk.skipping) {
      return binds.handle(message, wires);
    }
    binds.skip();
    if (talk.copyingIn) {
      inCopy(message, wires);
    } else if (talk.skipping) {
      if (type == MessageTypes.SYNC) {
        sync();
      }
      pass(message, wires);
    } else {
      switch (type) {
        case MessageTypes.QUERY -> query(message, wires);
        case MessageTypes.PARSE -> parse(message, wires);
        case MessageTypes.EXECUTE -> execute(message, wires);
        case MessageTypes.DESCRIBE -> {
          talk.unsynced = true;
          describe(message);
          pass(message, wires);
        }
        case MessageTypes.CLOSE -> {
          talk.unsynced = true;
          close(message);
          pass(message, wires);
        }
        case MessageTypes.COPY_DONE, MessageTypes.COPY_FAIL -> {
          if (!talk.awaited.isEmpty()) {
            talk.awaited.add(Awaited.of(Kind.COPY_END));
          }
          pass(message, wires);
        }
        case MessageTypes.FUNCTION_CALL -> {
          functionCall();
          pass(message, wires);
        }
        case MessageTypes.SYNC -> {
          sync();
          pass(message, wires);
        }
        default -> pass(message, wires);
      }
    }
    return null;
  }

  /** The server takes no notice of a Sync here, unless it has refused a row. */
  private void inCopy(Message message, Wires wires) {
    byte type = message.type();
    talk.copyingIn = type != MessageTypes.COPY_DONE && type != MessageTypes.COPY_FAIL;
    talk.syncsInCopy += type == MessageTypes.SYNC ? 1 : 0;
    pass(message, wires);
    if (!talk.copyingIn && talk.syncsInCopy > 0) {
      talk.holdFor(talk.awaited.peek());
      flush(wires);
    }
  }

  /** Whether there are rows to be sent is to be known before the client goes on. */
  private void holdForCopy(Prepared prepared, Awaited execution, Wires wires) {
    if (prepared.copiesIn()) {
      talk.holdFor(execution);
      flush(wires);
    }
  }

  private static void flush(Wires wires) {
    new MessageBuilder().empty(MessageTypes.FLUSH).toServer(wires);
  }

  private static void pass(Message message, Wires wires) {
    wires.toServer(message.array(), message.offset(), message.length());
  }

  private void sync() {
    talk.awaited.add(Awaited.of(Kind.SYNC));
    talk.skipping = false;
    talk.unsynced = false;
  }

  private void query(Message message, Wires wires) {
    Undo undo = talk.names.query();
    CommentedSql told = told(message, BODY);
    AnalyzedSql sql = analysis(told, Placeholders.NONE);
    Rewriting rewriting = sql.rewriting() == null ? null : queryRewriting(sql);
    boolean rewrites = rewriting != null && rewriting.isBounded(SessionCapture::noParameter);
    Prepared prepared =
        rewrites && rewriting != null
            ? new Prepared(told, sql.rewritten(rewriting), rewriting, NO_TYPES)
            : new Prepared(told, sql, null, NO_TYPES);
    Portal portal = new Portal(prepared, SessionCapture::noParameter, Formats.DESCRIBED);
    portal.fetches(talk.names.fetched(prepared.names()));
    executions.sends(portal);
    boolean isTold = !told.statement().equals(NOT_TOLD);
    NamesInSql in = isTold ? prepared.names() : NamesInSql.ANY;
    Undo named = talk.names.executes(in, this::notTold);
    Awaited awaited = new Awaited(Kind.QUERY, prepared, portal, named.before(undo));
    talk.awaited.add(awaited);
    if (rewrites && rewriting != null) {
      new MessageBuilder()
          .begin(MessageTypes.QUERY)
          .text(told.around(rewriting.text()))
          .end()
          .toServer(wires);
    } else {
      pass(message, wires);
      holdForCopy(prepared, awaited, wires);
    }
  }

  /**
   * How a Query is sent. One that does not wait for the answers before it is sent as if it was
   * parsed now and executed later, unless these may change what it means.
   */
  private @Nullable Rewriting queryRewriting(AnalyzedSql sql) {
    if (talk.isQuiet()) {
      return session.rewriting(sql, List.of(SessionCapture::noParameter), true);
    }
    return talk.changesNoMeaning() ? session.lastingRewriting(sql, true) : null;
  }

  /** The text at a position. One that cannot be read stands for what may do anything. */
  private CommentedSql told(Message message, int position) {
    int size = message.afterText(position) - 1 - position;
    Object text = talk.values.text(message.array(), message.offset() + position, size);
    return CommentedSql.of(text instanceof String read ? read : NOT_TOLD);
  }

  private Prepared asItIs(CommentedSql told, Placeholders placeholders, int[] types) {
    return new Prepared(told, session.analyze(told, placeholders), null, types);
  }

  /** What may be any statements, several of them too. */
  private Prepared notTold() {
    return new Prepared(CommentedSql.of(NOT_TOLD), session.unseenStatements(), null, NO_TYPES);
  }

  private AnalyzedSql analysis(CommentedSql told, Placeholders placeholders) {
    if (told.statement().equals(NOT_TOLD)) {
      return session.unseenStatements();
    }
    Analyzing known = analyzed;
    analyzed = null;
    AnalyzedSql found = known == null ? null : known.found(told, placeholders);
    return found == null ? session.analyze(told, placeholders) : found;
  }

  /** The analysis of a text, which is kept for its message; null if it may take long. */
  private @Nullable AnalyzedSql soon(CommentedSql told, Placeholders placeholders) {
    Analyzing known = analyzed;
    AnalyzedSql found = known == null ? null : known.found(told, placeholders);
    if (found != null) {
      return found;
    }
    analyzed = Analyzing.soon(session, told, placeholders);
    return analyzed == null ? null : analyzed.found(told, placeholders);
  }

  /**
   * What is to be done on another thread before a message is handled, because it may take long;
   * null for nothing, which is the rule.
   */
  @Nullable Runnable analyzing(Message message) {
    boolean query = message.type() == MessageTypes.QUERY;
    if (talk.copyingIn || talk.skipping || !(query || message.type() == MessageTypes.PARSE)) {
      return null;
    }
    CommentedSql told = told(message, query ? BODY : message.afterText(BODY));
    Placeholders placeholders = query ? Placeholders.NONE : Placeholders.NUMBERED;
    if (soon(told, placeholders) != null) {
      return null;
    }
    Analyzing wanted = new Analyzing(session, told, placeholders);
    analyzed = wanted;
    return wanted;
  }

  private void parse(Message message, Wires wires) {
    talk.unsynced = true;
    String name = ServerNames.in(message, BODY);
    int textAt = message.afterText(BODY);
    int typesAt = message.afterText(textAt);
    int[] types = types(message, typesAt);
    CommentedSql told = told(message, textAt);
    AnalyzedSql sql = analysis(told, Placeholders.NUMBERED);
    Rewriting rewriting = talk.names.hasRoom() ? rewriting(sql, name.isEmpty()) : null;
    if (rewriting != null && mistakes(talk.names.living(name), rewriting)) {
      rewriting = null;
    }
    Prepared prepared =
        rewriting == null
            ? new Prepared(told, sql, null, types)
            : new Prepared(told, sql.rewritten(rewriting), rewriting, types);
    prepared.executes(talk.names.executed(prepared.names()));
    Undo undo = talk.names.hasRoom() ? talk.names.prepare(name, prepared) : talk.names.forget(name);
    talk.awaited.add(new Awaited(Kind.PARSE, prepared, null, undo));
    if (rewriting == null) {
      pass(message, wires);
      return;
    }
    new MessageBuilder()
        .begin(MessageTypes.PARSE)
        .bytes(message.array(), message.offset() + BODY, textAt - BODY)
        .text(told.around(rewriting.text()))
        .bytes(message.array(), message.offset() + typesAt, message.length() - typesAt)
        .end()
        .toServer(wires);
  }

  /**
   * Whether what the client sends on under the name, without looking whether the name was free,
   * would be sent in another way than is right for the statement that keeps it.
   */
  private static boolean mistakes(@Nullable Prepared living, Rewriting rewriting) {
    return living != null && living.swallowsRows() != rewriting.isWrite();
  }

  /**
   * How a statement is parsed, which may then be executed in any transaction.
   *
   * @param once whether it will hardly be executed again
   */
  private @Nullable Rewriting rewriting(AnalyzedSql sql, boolean once) {
    Rewriting rewriting = sql.rewriting() == null ? null : session.lastingRewriting(sql, once);
    return rewriting != null && rewriting.isBounded(SessionCapture::noParameter) ? rewriting : null;
  }

  private static int[] types(Message message, int at) {
    int[] types = new int[message.int16(at)];
    for (int i = 0; i < types.length; i++) {
      types[i] = message.int32(at + 2 + 4 * i);
    }
    return types;
  }

  private void execute(Message message, Wires wires) {
    talk.unsynced = true;
    Portal portal = talk.names.portal(ServerNames.in(message, BODY));
    int limitAt = message.afterText(BODY);
    if (portal == null) {
      Portal unknown = new Portal(notTold(), SessionCapture::noParameter, Formats.TEXT);
      executions.sends(unknown);
      talk.awaited.add(new Awaited(Kind.EXECUTE, null, unknown, null));
      pass(message, wires);
      return;
    }
    executions.sends(portal);
    Prepared prepared = portal.prepared();
    Undo named = talk.names.executes(prepared.names(), this::notTold);
    Awaited awaited = new Awaited(Kind.EXECUTE, prepared, portal, named);
    talk.awaited.add(awaited);
    if (portal.swallowsRows() && message.int32(limitAt) != 0) {
      // Without rows to answer with, a limit of them means nothing.
      new MessageBuilder()
          .begin(MessageTypes.EXECUTE)
          .bytes(message.array(), message.offset() + BODY, limitAt - BODY)
          .int32(0)
          .end()
          .toServer(wires);
    } else {
      pass(message, wires);
      holdForCopy(prepared, awaited, wires);
    }
  }

  private void describe(Message message) {
    String name = ServerNames.in(message, BODY + 1);
    Portal portal = message.byteAt(BODY) == MessageTypes.PORTAL ? talk.names.portal(name) : null;
    Prepared prepared = portal == null ? null : portal.prepared();
    if (message.byteAt(BODY) == MessageTypes.STATEMENT) {
      prepared = talk.names.statement(name);
    }
    talk.awaited.add(new Awaited(Kind.DESCRIBE, prepared, portal, null));
  }

  private void close(Message message) {
    String name = ServerNames.in(message, BODY + 1);
    Undo undo =
        message.byteAt(BODY) == MessageTypes.STATEMENT
            ? talk.names.closeStatement(name)
            : talk.names.closePortal(name);
    talk.awaited.add(new Awaited(Kind.CLOSE, null, null, undo));
  }

  private void functionCall() {
    Prepared call = asItIs(CommentedSql.of(CALL), Placeholders.NONE, NO_TYPES);
    Portal portal = new Portal(call, SessionCapture::noParameter, Formats.TEXT);
    executions.sends(portal);
    talk.awaited.add(new Awaited(Kind.FUNCTION_CALL, call, portal, null));
  }

  /** Whether a message is about to execute COMMIT, or may be: the first of its group. */
  boolean commits(Message message) {
    AnalyzedSql sql = statement(message);
    if (sql == null || !(sql.analysis() instanceof Analysis.Control control)) {
      return false;
    }
    TransactionControl.Kind kind = control.control().kind();
    return kind == TransactionControl.Kind.COMMIT || kind == TransactionControl.Kind.PREPARE;
  }

  /** The statement of a message; null if it has none, or one that takes long to analyze. */
  @Nullable AnalyzedSql statement(Message message) {
    Prepared prepared = null;
    if (message.type() == MessageTypes.QUERY) {
      return soon(told(message, BODY), Placeholders.NONE);
    } else if (message.type() == MessageTypes.PARSE) {
      return soon(told(message, message.afterText(BODY)), Placeholders.NUMBERED);
    } else if (message.type() == MessageTypes.BIND) {
      prepared = talk.names.statement(ServerNames.in(message, message.afterText(BODY)));
    } else if (message.type() == MessageTypes.EXECUTE) {
      Portal portal = talk.names.portal(ServerNames.in(message, BODY));
      prepared = portal == null ? null : portal.prepared();
    }
    return prepared == null ? null : prepared.sql();
  }

  /**
   * Whether a message is about to execute what may make a write visible to others. A commit of what
   * was written without BEGIN is not asked for by itself: the write has waited.
   */
  boolean mayShowWrites(Message message) {
    if (talk.copyingIn || talk.skipping) {
      return false;
    }
    return switch (message.type()) {
      case MessageTypes.QUERY -> {
        CommentedSql told = told(message, BODY);
        yield mayShowWrites(soon(told, Placeholders.NONE))
            || mayShowWrites(NamesInSql.of(told.statement()));
      }
      case MessageTypes.EXECUTE -> {
        Portal portal = talk.names.portal(ServerNames.in(message, BODY));
        yield portal == null
            || mayShowWrites(portal.followed())
            || mayShowWrites(portal.prepared().names());
      }
      case MessageTypes.FUNCTION_CALL -> true;
      default -> false;
    };
  }

  /** Whether a message that is too long begins, and may make a write visible to others. */
  boolean mayShowWrites(byte type, int length) {
    return isTooLong(type, length) && !talk.copyingIn && !talk.skipping;
  }

  /** Whether a statement in SQL is about to execute such a one of the protocol. */
  private boolean mayShowWrites(NamesInSql in) {
    Prepared executed = talk.names.executed(in);
    Portal fetched = talk.names.fetched(in);
    return (executed != null && mayShowWrites(executed.sql()))
        || (fetched != null && mayShowWrites(fetched.followed()));
  }

  private boolean mayShowWrites(@Nullable AnalyzedSql sql) {
    if (sql == null) {
      return true;
    }
    TransactionState state = talk.server.state();
    boolean open = state == TransactionState.OPEN || state == TransactionState.FAILED;
    boolean stays = open && !talk.awaits(Analysis.Control.class::isInstance);
    return sql.mayShowWrites(stays, session.mayHaveWritten() || talk.awaits(Analysis::mayWrite));
  }
}
