package io.isotail.ingest.format;

import com.fasterxml.jackson.core.JsonGenerator;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes transactions as lines of a jsonl file, such that reading them gives the same identities
 * and the same operations. A name is written as the identity where its hash is the identity, else
 * beside it.
 */
public final class JsonlWriter {
  private JsonlWriter() {}

  /** A whole transaction (not a chunk) as one line, without the end of the line. */
  public static String line(TransactionRecord record) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JsonlReader.JSON.createGenerator(text)) {
      write(json, record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** A transaction as one line, without the end of the line. */
  public static String line(
      SessionInfo session,
      long transaction,
      Outcome outcome,
      @Nullable String ranAt,
      Times times,
      Operations operations) {
    return line(
        new TransactionRecord(
            session,
            0,
            transaction,
            0,
            outcome,
            ranAt,
            times.beginNs(),
            times.endNs(),
            times.clock(),
            operations));
  }

  static void write(JsonGenerator json, TransactionRecord record) throws IOException {
    SessionInfo session = record.session();
    Outcome outcome = record.outcome();
    Operations operations = record.operations();
    if (outcome == Outcome.OPEN) {
      throw new IllegalArgumentException("outcome open; expected a whole transaction, no chunk");
    }
    json.writeStartObject();
    json.writeFieldName("session");
    session(json, session);
    json.writeNumberField("txn", record.transaction());
    if (record.clock() != null) {
      json.writeStringField("clock", record.clock());
    }
    if (record.beginNs() != TransactionRecord.NO_TIME) {
      json.writeNumberField("begin", record.beginNs());
    }
    if (record.endNs() != TransactionRecord.NO_TIME) {
      json.writeNumberField("end", record.endNs());
    }
    if (record.ranAt() != null) {
      json.writeStringField("level", record.ranAt());
    }
    if (outcome != Outcome.COMMITTED) {
      json.writeStringField("outcome", outcome.name().toLowerCase(Locale.ROOT));
    }
    json.writeArrayFieldStart("ops");
    int next = 0;
    while (next < operations.size()) {
      next = operation(json, operations, next);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Names of live sessions serve people and may be shared; the identity then goes with them. */
  private static void session(JsonGenerator json, SessionInfo session) throws IOException {
    String decimal = Long.toUnsignedString(session.id());
    if (ClearName.hash(session.name()) == session.id()) {
      json.writeString(session.name());
    } else if (session.name().equals(decimal)) {
      number(json, session.id());
    } else {
      json.writeString(session.name() + "#" + Long.toHexString(session.id()));
    }
  }

  /** Writes operation {@code i}, or the list read that starts there; returns where the next is. */
  private static int operation(JsonGenerator json, Operations operations, int i)
      throws IOException {
    int last = i;
    while (operations.listedBefore(last)) {
      last++;
    }
    OperationKind kind = operations.kind(last);
    if (kind == OperationKind.LISTED) {
      return last + 1; // The read that it belongs to was cut away.
    }
    Statement statement = operations.statementIndex(last) < 0 ? null : operations.statement(last);
    String keyName = null;
    String versionName = null;
    json.writeStartArray();
    json.writeString(
        switch (kind) {
          case READ, LISTED -> "r";
          case WRITE -> "w";
          case DELETE -> "d";
          case OPAQUE -> "o";
        });
    if (kind == OperationKind.OPAQUE) {
      json.writeString(statement == null ? null : statement.table());
    } else {
      keyName = identity(json, operations.key(last), operations.keyName(last));
      if (last > i) {
        json.writeStartArray();
        for (int v = i; v < last; v++) {
          if (operations.versionKind(v) == VersionKind.UNKNOWN) {
            continue; // What stands before the list is not known.
          }
          if (operations.versionKind(v) == VersionKind.INITIAL) {
            json.writeNull();
          } else {
            identity(json, operations.version(v), operations.versionName(v));
          }
        }
        versionName = identity(json, operations.version(last), operations.versionName(last));
        json.writeEndArray();
      } else if (kind != OperationKind.DELETE
          && operations.versionKind(last) == VersionKind.KNOWN) {
        versionName = identity(json, operations.version(last), operations.versionName(last));
      } else if (kind == OperationKind.READ
          && operations.versionKind(last) == VersionKind.INITIAL) {
        json.writeNull();
      }
    }
    extras(json, operations, last, keyName, versionName);
    json.writeEndArray();
    return last + 1;
  }

  private static void extras(
      JsonGenerator json,
      Operations operations,
      int i,
      @Nullable String keyName,
      @Nullable String versionName)
      throws IOException {
    Statement statement = operations.statementIndex(i) < 0 ? null : operations.statement(i);
    boolean undone = operations.undone(i);
    boolean named = keyName != null || versionName != null;
    if (!undone && statement == null && !named && !operations.replaces(i)) {
      return;
    }
    json.writeStartObject();
    if (operations.replaces(i)) {
      json.writeFieldName("replaces");
      number(json, operations.replaced(i));
    }
    if (undone) {
      json.writeBooleanField("undone", true);
    }
    if (statement != null && statement.table() != null) {
      json.writeStringField("table", statement.table());
    }
    if (statement != null) {
      json.writeStringField("statement", statement.fingerprint());
    }
    if (statement != null && statement.namesWriters()) {
      json.writeBooleanField("names-writers", true);
    }
    if (statement != null && statement.inserts()) {
      json.writeBooleanField("inserts", true);
    }
    if (keyName != null) {
      json.writeStringField("key", keyName);
    }
    if (versionName != null) {
      json.writeStringField("version", versionName);
    }
    json.writeEndObject();
  }

  /** Writes the identity; returns the name if it still has to be told. */
  private static @Nullable String identity(JsonGenerator json, long id, @Nullable String name)
      throws IOException {
    if (name != null && ClearName.hash(name) == id) {
      json.writeString(name);
      return null;
    }
    number(json, id);
    return name;
  }

  private static void number(JsonGenerator json, long unsigned) throws IOException {
    if (unsigned >= 0) {
      json.writeNumber(unsigned);
    } else {
      json.writeNumber(new BigInteger(Long.toUnsignedString(unsigned)));
    }
  }
}
