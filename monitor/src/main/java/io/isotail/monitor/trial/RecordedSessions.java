package io.isotail.monitor.trial;

import io.isotail.incremental.record.Outcome;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.RegisterCapture;
import io.isotail.ingest.store.ListSession;
import io.isotail.ingest.store.RefusedException;
import io.isotail.ingest.store.SessionSource;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sessions whose transactions are recorded by what they do, not by their statements: a transaction
 * begins before anything of it was sent, and ends after the reply to its commit.
 *
 * @param sessions those with the store
 * @param ranAt name of the level that they run at
 */
record RecordedSessions(SessionSource sessions, Capture capture, String ranAt)
    implements SessionSource {

  @Override
  public StoreSession open() throws Exception {
    return recorded(sessions.open());
  }

  @Override
  public StoreSession open(int number) throws Exception {
    return recorded(sessions.open(number));
  }

  private StoreSession recorded(StoreSession session) {
    return new Session(session, new RegisterCapture(capture, ranAt));
  }

  private static final class Session implements StoreSession {
    private final StoreSession store;
    private final RegisterCapture record;

    Session(StoreSession store, RegisterCapture record) {
      this.store = store;
      this.record = record;
    }

    @Override
    public void begin(TransactionScope scope) throws Exception {
      record.begin();
      try {
        store.begin(scope);
      } catch (Exception e) {
        throw ended(e, lost());
      }
    }

    @Override
    public @Nullable Long read(long register) throws Exception {
      try {
        if (store instanceof ListSession lists) {
          List<Long> list = lists.list(register);
          record.readList(register, list);
          return list.isEmpty() ? null : list.get(list.size() - 1);
        }
        Long version = store.read(register);
        record.read(register, version);
        return version;
      } catch (Exception e) {
        throw ended(e, lost());
      }
    }

    @Override
    public List<@Nullable Long> readRange(long first, int count) throws Exception {
      try {
        List<@Nullable Long> versions = store.readRange(first, count);
        for (int i = 0; i < count; i++) {
          record.read(first + i, versions.get(i));
        }
        return versions;
      } catch (Exception e) {
        throw ended(e, lost());
      }
    }

    @Override
    public void write(long register, long version) throws Exception {
      record.write(register, version);
      try {
        store.write(register, version);
      } catch (Exception e) {
        throw ended(e, lost());
      }
    }

    @Override
    public void commit() throws Exception {
      try {
        store.commit();
      } catch (Exception e) {
        throw ended(e, Outcome.UNKNOWN);
      }
      record.end(Outcome.COMMITTED);
    }

    @Override
    public void rollBack() throws Exception {
      try {
        store.rollBack();
      } catch (Exception e) {
        throw ended(e, lost());
      }
      end(Outcome.ABORTED);
    }

    /**
     * How a transaction has ended whose session was lost before its commit. It is without effect,
     * but no alarm may rest on that a store keeps to its contract.
     */
    private Outcome lost() {
      return record.inTransaction() && record.wrote() ? Outcome.UNKNOWN : Outcome.ABORTED;
    }

    private Exception ended(Exception e, Outcome ifLost) {
      end(e instanceof RefusedException ? Outcome.ABORTED : ifLost);
      return e;
    }

    private void end(Outcome outcome) {
      if (record.inTransaction()) {
        record.end(outcome);
      }
    }

    @Override
    public boolean isOfLists() {
      return store.isOfLists();
    }

    @Override
    public void cut() throws IOException {
      store.cut();
    }

    @Override
    public void close() throws IOException {
      try (record) {
        end(lost());
        store.close();
      }
    }
  }
}
