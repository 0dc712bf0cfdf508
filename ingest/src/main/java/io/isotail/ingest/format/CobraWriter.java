package io.isotail.ingest.format;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a directory of cobra logs, one a session.
 *
 * <p>Has no place for unknown outcomes, unknown versions, the two write ids that stand for the
 * initial version, deletes, opaque writes, undone operations and list reads; drops names of keys
 * and versions, levels, times and statements. A version is its own value hash. The transaction that
 * wrote what is read is not known while writing and written as 0; readers that go by the write id,
 * as isotail does, do not need it. Numbers are {@linkplain UniqueNumbers unique in the directory},
 * since Cobra knows a transaction by its number alone; a lossy writer makes them so.
 */
final class CobraWriter implements HistoryWriter {
  private static final String FILE_NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}";

  private final FormatLimits limits;
  private final UniqueNumbers numbers;
  private final Path directory;
  private final Long2ObjectLinkedOpenHashMap<SpooledBytes> logs =
      new Long2ObjectLinkedOpenHashMap<>();

  CobraWriter(Path directory, Fidelity fidelity) throws IOException {
    this.limits = new FormatLimits(CobraFormat.LABEL, fidelity);
    this.numbers = new UniqueNumbers(limits);
    this.directory = Files.createDirectories(directory);
    if (!CobraReader.logs(directory).isEmpty()) {
      throw new IOException(directory + " holds logs; expected a new or an empty directory");
    }
  }

  @Override
  public void write(TransactionRecord transaction) throws IOException {
    require(transaction);
    SpooledBytes log = log(transaction);
    long number = numbers.of(transaction);
    log.put('S');
    log.putBigEndian(number);
    Operations operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      long version =
          operations.versionKind(i) == VersionKind.INITIAL
              ? CobraReader.INITIAL
              : operations.version(i);
      if (operations.kind(i) == OperationKind.READ) {
        log.put('R');
        log.putBigEndian(version == CobraReader.INITIAL ? version : 0);
      } else {
        log.put('W');
      }
      log.putBigEndian(version);
      log.putBigEndian(operations.key(i));
      log.putBigEndian(version);
    }
    if (transaction.outcome() == Outcome.ABORTED) {
      log.put('A');
    } else {
      log.put('C');
      log.putBigEndian(number);
    }
  }

  @Override
  public void close() throws IOException {
    if (logs.isEmpty()) {
      throw new IllegalArgumentException(
          "a history without transactions, which cobra cannot hold: it has no log without one");
    }
    for (SpooledBytes log : logs.values()) {
      log.flush();
    }
  }

  private void require(TransactionRecord transaction) {
    limits.requireWhole(transaction);
    limits.requireKnownOutcome(transaction);
    limits.requireReadsAndWrites(transaction);
    Operations operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      if (operations.versionKind(i) == VersionKind.KNOWN
          && CobraReader.isInitial(operations.version(i))) {
        throw limits.refused(
            transaction,
            "the version 0x%x, which stands for the initial one".formatted(operations.version(i)));
      }
    }
    limits.dropAnnotations(transaction);
    limits.dropTimes(transaction);
  }

  private SpooledBytes log(TransactionRecord transaction) {
    SessionInfo session = transaction.session();
    SpooledBytes log = logs.get(session.id());
    if (log == null) {
      boolean nameable =
          CobraReader.sessionOf(session.name()).equals(session)
              && session.name().matches(FILE_NAME);
      limits.drop(!nameable, transaction, "a session name that is no name of a file");
      String name = nameable ? session.name() : Long.toUnsignedString(session.id());
      log = new SpooledBytes(directory.resolve(name + CobraReader.SUFFIX));
      logs.put(session.id(), log);
    }
    return log;
  }
}
