package io.isotail.ingest.postgres;

import static io.isotail.ingest.postgres.Message.BODY;

import io.isotail.ingest.capture.Server.TransactionState;
import io.isotail.ingest.postgres.Awaited.Kind;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles the client's Bind messages: asks for the columns that were added in a format of their
 * own, after a {@link Check} where a name may stand for another statement or portal by now. For one
 * thread.
 */
final class Binds {
  private final Talk talk;
  private final Executions executions;
  private final Supplier<Prepared> unread;

  /** What a Bind waits for that comes again; null if none waits. */
  private @Nullable Check check;

  /**
   * Handles them.
   *
   * @param unread makes what stands for a statement that SQL has prepared
   */
  Binds(Talk talk, Executions executions, Supplier<Prepared> unread) {
    this.talk = talk;
    this.executions = executions;
    this.unread = unread;
  }

  /**
   * Handles a Bind.
   *
   * @return what is to be asked before it is handled again; null if it was passed on
   */
  @Nullable Check handle(Message message, Wires wires) {
    boolean refused = talk.isQuiet() && talk.server.state() == TransactionState.FAILED;
    talk.unsynced = true;
    int nameAt = message.afterText(BODY);
    String name = ServerNames.in(message, nameAt);
    Prepared known = talk.names.statement(name);
    if (known == null) {
      pass(message, wires);
      return null;
    }
    Check answered = check;
    check = null;
    if (answered == null) {
      check = refused ? null : check(message, nameAt, known);
      if (check != null) {
        return check;
      }
    } else if (answered.hasAnswered()) {
      settle(name, known, answered.added());
    }
    Prepared prepared = talk.names.statement(name);
    if (prepared == null) {
      pass(message, wires);
    } else {
      bind(message, nameAt, prepared, answered, wires);
    }
    return null;
  }

  /** The Bind that waits does not come again: the server skips it. */
  void skip() {
    check = null;
  }

  /** A statement is not known, so that it has no columns that were added. */
  private void pass(Message message, Wires wires) {
    Undo undo = talk.names.closePortal(ServerNames.in(message, BODY));
    talk.awaited.add(new Awaited(Kind.BIND, null, null, undo));
    wires.toServer(message.array(), message.offset(), message.length());
  }

  private @Nullable Check check(Message message, int nameAt, Prepared prepared) {
    if (prepared.isInDoubt()) {
      return Check.ofStatement(message, nameAt, message.afterText(nameAt));
    }
    Prepared executed = talk.names.executed(prepared.names());
    Portal fetched = talk.names.fetched(prepared.names());
    boolean gives = prepared.names().kind() == NamesInSql.Kind.FETCH;
    boolean asks =
        (executed != null && executed.isInDoubt())
            || (gives && fetched != null && fetched.hidden().length > 0);
    return asks ? Check.ofText(prepared.told().statement()) : null;
  }

  private void settle(String name, Prepared known, int added) {
    if (talk.names.executed(known.names()) != null) {
      talk.names.settle(known.names().name(), added, unread);
    } else if (talk.names.fetched(known.names()) == null) {
      talk.names.settle(name, added, unread);
    } else if (added == 0) {
      talk.names.closePortal(known.names().name());
    }
  }

  /**
   * Binds a statement that is known.
   *
   * @param answered what the server has told of its result; null if it was not asked
   */
  private void bind(
      Message message, int nameAt, Prepared prepared, @Nullable Check answered, Wires wires) {
    String portalName = ServerNames.in(message, BODY);
    int parametersAt = message.afterText(nameAt);
    int formatsAt = BoundValues.placeOfResultFormats(message, parametersAt);
    Formats asked = Formats.of(message, formatsAt);
    // Formats of a result that the client does not see are not asked for.
    Prepared executed = talk.names.executed(prepared.names());
    boolean unseen = prepared.swallowsRows(executed) && asked.codes() > 1;
    Formats formats = unseen ? Formats.TEXT : asked;
    BoundValues values = BoundValues.of(message, parametersAt, prepared, talk.values);
    talk.kept.add(values);
    Portal portal = new Portal(prepared, executed, values, formats);
    portal.boundAfter = executions.count();
    Portal fetched = talk.names.fetched(prepared.names());
    portal.fetches(fetched);
    if (fetched != null && answered != null && answered.hasAnswered()) {
      portal.addedBefore(answered.added());
    }
    talk.awaited.add(new Awaited(Kind.BIND, prepared, portal, talk.names.bind(portalName, portal)));
    if (asked.codes() <= 1 || portal.hidden().length == 0) {
      wires.toServer(message.array(), message.offset(), message.length());
      return;
    }
    int added = unseen ? 0 : portal.hidden().length;
    MessageBuilder other =
        new MessageBuilder()
            .begin(MessageTypes.BIND)
            .bytes(message.array(), message.offset() + BODY, formatsAt - BODY)
            .int16(formats.codes() + added)
            .bytes(message.array(), message.offset() + formatsAt + 2, 2 * formats.codes());
    for (int i = 0; i < added; i++) {
      other.int16(0);
    }
    other.end().toServer(wires);
  }
}
