/**
 * History files: streaming parsers that turn them into the records of a stream, and writers that
 * turn records into files.
 *
 * <p>Input: a file or directory. Output: {@link io.isotail.incremental.record.TransactionRecord}s,
 * one at a time, with the line of the file as offset (in binary formats and awdit the number of the
 * transaction; in plume the line of its last operation, or the next free number). Owner: the
 * calling thread. An empty file is an empty history. An error names the file, the line or the byte,
 * what was found and what was expected.
 *
 * <p>Bound: no parser holds the file. Beside a buffer it holds
 *
 * <ul>
 *   <li>plume: for each session its open transaction; up to 16,384 transactions or 2,000,000
 *       operations that wait for an earlier one to end; the keys whose initial version was read;
 *       where ids of transactions do not grow, all ids of the session;
 *   <li>awdit, dbcop, cobra: one transaction, and for each session a place in the file and a
 *       buffer; cobra keeps every log open; awdit the keys to which 0 is written;
 *   <li>elle: the open operation of each process; of registers each value that was written;
 *   <li>chronos: one transaction, a counter for each session, the keys of which 0 was read or to
 *       which it was written;
 *   <li>jsonl: one line, and a counter for each session.
 * </ul>
 *
 * <p>The writers of plume and cobra hold the last number of each session and the runs of numbers
 * that are taken, at most 1,048,576 of them.
 *
 * <p>Sessions that a format stores one after the other are read side by side, one transaction of
 * each in turn: about the order in which they ran. Read one after the other, nearly every
 * transaction would wait in the checker for a writer that comes much later.
 *
 * <p>A writer is strict by default: reading its file gives the same transactions, session by
 * session, to the last name; what has no place is refused. A {@linkplain
 * io.isotail.ingest.format.Fidelity#LOSSY lossy} one drops what no verdict depends on. Each
 * writer's description says what it refuses and what it drops.
 *
 * <p>A file of any format may be compressed by gzip, in one member or several, or by zstd. Its
 * first bytes tell, and its name must not contradict them. It streams as a plain one does, but for
 * dbcop and awdit, which are read in more than one place at a time: they are decompressed into a
 * temporary file. Lines and bytes that an error names are those of what was decompressed. A file
 * that is damaged or cut off is refused as far as its checksums and lengths tell. The logs of cobra
 * are not decompressed.
 *
 * <h2>plume</h2>
 *
 * <p>One operation a line: {@code r(key,value,session,txn)} or {@code w(key,value,session,txn)},
 * unsigned 64-bit numbers. The transaction's number need only be unique in its session to be read;
 * it is written unique in the file, as PolySI and AWDIT need it. The lines of a transaction are
 * together within its session; sessions may be mixed line by line. A read of 0 is of the initial
 * version unless somebody, committed or not, writes 0 to that key. Transaction -1 marks operations
 * of aborted transactions; those of a session that come together are handed over as one aborted
 * transaction with the number -1. Transactions are handed over in the order in which they begin in
 * the file, as far as the bound on what waits allows.
 *
 * <p>The file is read once, on the assumption that nobody writes 0 to a key that was read as 0
 * before, and that the ids of a session's transactions grow. Where a line contradicts that, the
 * file is read for both facts and then once more from its beginning, which {@link
 * io.isotail.ingest.format.TransactionConsumer#restart} announces.
 *
 * <h2>awdit</h2>
 *
 * <p>What AWDIT calls {@code test}, a text that people write. Only read. One operation a line,
 * {@code r key value} or {@code w key value}, unsigned 64-bit numbers; a line of one {@code -} or
 * more between transactions, a line of one {@code =} or more between sessions. All transactions
 * have committed. Those without operations are none. Sessions and their transactions are numbered
 * by their places, from 0.
 *
 * <p>The format has no initial values: a test that needs them writes them, and AWDIT takes a read
 * of what nobody wrote as a violation. AWDIT's other formats start every key at 0. Here a read of 0
 * is of the initial version unless somebody, earlier or later in the file, writes 0 to that key. So
 * what fails here fails in AWDIT too, whichever of the two was meant.
 *
 * <p>A first pass finds the starts of sessions and the writes of 0.
 *
 * <h2>dbcop</h2>
 *
 * <p>Rust's bincode 1, little endian: five numbers of 64 bits (id, nodes, variables, transactions a
 * session, events a transaction), three strings (length of 64 bits, then UTF-8: what made it,
 * start, end), then the number of sessions; of each the number of transactions; of each of these
 * the number of events, the events, and a byte: 1 if it committed. An event is a byte (1 for a
 * write), key and value of 64 bits, and a byte: 1 if it succeeded; other events are ignored. The
 * value 0 is the initial version. A first pass notes where sessions start. Sessions and
 * transactions are numbered by their places, from 0.
 *
 * <h2>cobra</h2>
 *
 * <p>A directory of {@code *.log} files, one a session, named by the file. Big-endian records:
 * {@code S} and the transaction's id begin it; {@code R}, id of the writing transaction, write id,
 * hash of the key, hash of the value; {@code W}, write id, hash of the key, hash of the value;
 * {@code C} and the id commit it; {@code A} aborts it. All numbers have 64 bits. The write id is
 * the version; 0xbebeebee and 0xdeadbeef are the initial one.
 *
 * <h2>chronos</h2>
 *
 * <p>One JSON array of transactions, as Chronos and Aion (Time Killer) read it. Only read. {@code
 * {"tid": 67, "sid": 19, "sts": {"p": 5, "l": 0}, "cts": {"p": 9, "l": 1}, "ops": [{"t": "w", "k":
 * 7, "v": 2}]}}.
 *
 * <ul>
 *   <li>{@code sid} is the session, {@code tid} the transaction's number, or its place in the
 *       session where it is missing: numbers, or strings, which stand for their hash. Digits in
 *       quotes are a number. All transactions have committed. Those of a session stand in session
 *       order.
 *   <li>{@code sts} and {@code cts} are the times of start and commit by a hybrid logical clock of
 *       the database. They are dropped, as every other field is: a verdict rests on what clients
 *       saw.
 *   <li>{@code t} is {@code r}, {@code read}, {@code w}, {@code write}, {@code a} or {@code
 *       append}, in either case. Keys and values are whole numbers of 64 bits with sign. Negative
 *       ones stand for the hash of their text, as in elle.
 *   <li>A read of a list is of each of its elements, as in elle.
 *   <li>A read of null, of nothing or of the empty list is of the initial version; a write of null
 *       is refused. Chronos is told on its command line when the initial value is another one,
 *       which for most databases is 0. So a read of 0 is of the initial version too, unless
 *       somebody writes 0 to that key. The file is read once on the assumption that nobody does
 *       after such a read, and else once more.
 * </ul>
 *
 * <h2>elle</h2>
 *
 * <p>Jepsen's operations in EDN or JSON, one after the other or in one list: {@code {:type :ok,
 * :process 3, :time 12, :index 7, :value [[:append x 1] [:r x [1 2]]]}}.
 *
 * <ul>
 *   <li>{@code :invoke} gives the beginning, and the value if the completion has none; without a
 *       completion the outcome is unknown. {@code :ok} is committed, {@code :fail} aborted, {@code
 *       :info} unknown. {@code :time} is in ns of Jepsen's clock, {@code jepsen}.
 *   <li>{@code :process} is the session; what follows an {@code :info} belongs to it still. Without
 *       a process, each transaction is a session of its own, since its order to others is not told,
 *       and takes the oldest open invocation that asked for the same. A keyword (the nemesis) is no
 *       client.
 *   <li>The transaction's number is {@code :txn} if that is there, else {@code :index}, else its
 *       place in the session.
 *   <li>{@code [:w k v]} and {@code [:append k v]} write {@code v}. {@code [:r k v]} reads it; nil
 *       and the empty list are the initial version, but nil says nothing in a transaction that may
 *       not have committed.
 *   <li>{@code [:r k [v1 … vn]]} reads each element of a list, the last one as the version. Those
 *       before it are handed over as {@link io.isotail.incremental.record.OperationKind#LISTED}:
 *       each is directly succeeded by the next, and the initial version by {@code v1}.
 * </ul>
 *
 * <p>An operation may also be one on a register or a mutex, as Knossos reads them. It is a
 * transaction of one key; that a register is linearizable is that these are strict-serializable.
 *
 * <ul>
 *   <li>{@code :f :read}, {@code :write} and {@code :cas}, of which {@code :value [old new]} reads
 *       the old value and writes the new one; {@code :acquire} and {@code :release} set a mutex
 *       from nil to held and back. A value {@code [k v]}, or {@code [k [old new]]}, is of the
 *       independent key {@code k}. The initial value is nil.
 *   <li>A failed operation did nothing; a cas or a write that ended with {@code :info} may have
 *       taken effect at any time after its invocation. What its process does next is another
 *       session.
 *   <li>Without {@code :time}, the places of operations in the file are their times, of the clock
 *       {@code place-in-file}.
 *   <li>A value that more than one write of a key may have installed, nil included, is an unknown
 *       version, so that a verdict which depends on it is undecided. The file is read once on the
 *       assumption that there is none, and else once more.
 *   <li>Any other workload (bank, set, counter, queue) is refused.
 * </ul>
 *
 * <p>A directory of Jepsen's store is read by the {@code history.edn} in it, or in the run that its
 * {@code latest} leads to. Jepsen's binary files are refused.
 *
 * <p>Keys and versions are whole numbers from 0, which stand for themselves, or other scalars,
 * which stand for the hash of their text, as strings do in jsonl.
 *
 * <h2>jsonl</h2>
 *
 * <p>One transaction a line, an object with
 *
 * <ul>
 *   <li>{@code session}: string or unsigned number; {@code txn}: the same;
 *   <li>{@code ops}: {@code ["r",key,version]} and {@code ["w",key,version]}, where {@code null} is
 *       the initial version and no version at all an unknown one; {@code ["r",key,[v1,…,vn]]} is a
 *       list read of {@code vn}, before which the listed versions stood one directly after the
 *       other (the list may lack its front, unless it begins with null; a list of one version is a
 *       list too; an empty one is the initial version); an append is a write of its element; {@code
 *       ["d",key]} is a delete, {@code ["o",table]} (table or null) a statement that may have
 *       written any key of the table. An object may follow at the end: {@code undone} (true for
 *       what a savepoint undid), {@code table}, {@code statement}, {@code names-writers} (true
 *       where versions are ids of the writing transactions), {@code inserts} (true where each row
 *       that it wrote was missing), {@code key} and {@code version} (names for people);
 *   <li>optional: {@code clock} (string), {@code begin} and {@code end} (ns), {@code level} (that
 *       it ran at), {@code outcome} ({@code committed}, {@code aborted} or {@code unknown}).
 * </ul>
 *
 * <p>A number stands for itself; a string for the 64-bit hash that {@link
 * io.isotail.ingest.format.ClearName} makes of it, and is kept as the name in clear. So the number
 * 1 and the string {@code "1"} are different keys.
 */
@NullMarked
package io.isotail.ingest.format;

import org.jspecify.annotations.NullMarked;
