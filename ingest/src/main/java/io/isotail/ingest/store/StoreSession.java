package io.isotail.ingest.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a store, which runs one transaction at a time. Owned by one thread, but for
 * {@link #cut}.
 *
 * <p>A transaction is {@link #begin}, reads and writes in any order, and {@link #commit} or {@link
 * #rollBack}. These hold for all of them:
 *
 * <ul>
 *   <li>Nothing of a transaction is visible to others before {@code commit} is called. Where a
 *       store's writes take effect at once, the session keeps them until then.
 *   <li>{@link RefusedException} says that nothing of the transaction took effect. {@code rollBack}
 *       follows, and then the next {@code begin}.
 *   <li>Any other exception says that the session is of no more use. Out of {@code commit} it
 *       leaves the outcome unknown: the transaction may have been committed, or may still be. The
 *       session is rolled back, which may fail, and closed, and another one opened.
 * </ul>
 */
public interface StoreSession extends AutoCloseable {
  /**
   * A transaction begins.
   *
   * @param scope what it is about to do
   */
  void begin(TransactionScope scope) throws Exception;

  /**
   * The version of a register as this transaction sees it.
   *
   * @param register its number, from 0
   * @return null if it was never written
   */
  @Nullable Long read(long register) throws Exception;

  /**
   * The versions of neighbouring registers. Where the store can ask for them by one condition, all
   * are as of one moment; by default each is read by itself.
   *
   * @param first number of the first one
   * @param count how many, one or more
   * @return their versions, in the order of their numbers; null for each that was never written
   */
  default List<@Nullable Long> readRange(long first, int count) throws Exception {
    List<@Nullable Long> versions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      versions.add(read(first + i));
    }
    return versions;
  }

  /**
   * Writes a register, whether it was written before or not.
   *
   * @param register its number, from 0
   * @param version never written before, to any register, by anybody
   */
  void write(long register, long version) throws Exception;

  /** Makes the transaction last; returns when it does. */
  void commit() throws Exception;

  /** Ends the transaction without effect. */
  void rollBack() throws Exception;

  /** Whether registers are lists of all that was written to them, as {@link ListSession} says. */
  default boolean isOfLists() {
    return false;
  }

  /**
   * Makes the first registers of a new space, before any other session is open. By default it takes
   * a transaction for each; where isotail records a session, it always does.
   *
   * @param registers how many; number {@code n} gets version {@code n + 1}
   * @return how many transactions it took
   */
  default int make(int registers) throws Exception {
    for (long register = 0; register < registers; register++) {
      begin(new TransactionScope(Set.of(), Set.of(register)));
      write(register, register + 1);
      commit();
    }
    return registers;
  }

  /**
   * Cuts the connection at once, as if the network had: what is under way fails in the owner's
   * thread. Called by any thread; does not wait for the store.
   *
   * @throws IOException if it cannot be done
   */
  void cut() throws IOException;

  /** Gives the connection back; a transaction under way ends without effect. */
  @Override
  void close() throws IOException;
}
