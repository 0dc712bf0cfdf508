// What the field's terms mean, in one sentence each. Names are those of every other interface.

export const ANOMALIES = {
  'thin-air-read': 'A transaction read a version that no transaction wrote.',
  'aborted-read': 'A transaction read what another one wrote that was rolled back.',
  'future-read': 'A transaction read its own write before it had made it.',
  'not-my-last-write': 'A transaction read an older write of its own, not its last one before the read.',
  'not-my-own-write': 'A transaction wrote a row and then read another transaction’s version of it.',
  'intermediate-read': 'A transaction read a version that its writer overwrote before it committed.',
  'duplicate-element': 'A transaction read a list with an element more often than that was appended.',
  'internal-read': 'A transaction read a list with nothing but its own appends, though it had read what another one appended.',
  'incompatible-order': 'Lists of one key fit no order of its versions.',
  'non-repeatable-reads': 'A transaction read a row twice and got the versions of two writers.',
  'session-guarantee-violation': 'A session did not see what it had written itself before.',
  'non-monotonic-read': 'A transaction read something new, and after that something older.',
  'fractured-read': 'A transaction saw a part of what another one wrote, and not the rest.',
  'causality-violation': 'A transaction read a version that it had good reason to know was overwritten, as when its session had read the newer one.',
  'long-fork': 'Two transactions saw two writes in opposite orders.',
  'lost-update': 'Two transactions read a row and both overwrote it, of which one had not seen the other’s update.',
  'write-skew': 'Two transactions each read what the other one overwrote: neither saw the other.',
  'blind-lost-update': 'A transaction overwrote an update that it had not seen, and one of the two had not read the row.',
  'read-skew': 'A transaction saw a write, and missed another that was made before it.',
  'stale-read': 'A transaction missed a write that had been committed, by the clock, before it began.',
  'dirty-write': 'Transactions overwrote each other’s versions in a circle.',
  'dangerous-structure': 'Transactions in a circle, two of which in a row missed what the next one wrote.',
  'read-only-anomaly': 'What a transaction saw that only read cannot be put in one order with what the others did.',
  'causality-cycle': 'Transactions depend on each other in a circle, by what they read and overwrote.',
  'lost-commit': 'A transaction was committed, as its client was told, and the database’s log has no such transaction.',
  'unasked-commit': 'A transaction was rolled back, as its client was told, and the database’s log has it as committed.',
  'commit-order-cycle': 'No order of the commits explains what was read, in a shape that has no name of its own.',
};

export const REASONS = {
  'unknown-writer': 'Somebody writes without a proxy, such as a batch job, a migration or psql, or a trigger does. From prefix on (behind PostgreSQL: from serializable on) such a read is undecided.',
  'lost-records': 'Records were lost, and the writer may have been among them. Unique and counting versions recover within a window. Reads of other versions, of absent rows and of versions without a known writer stay in doubt until a new history is begun.',
  'unknown-version': 'The proxy could not see which version was read or written.',
  'opaque-write': 'A statement that could not be interpreted may have written the row.',
  absence: 'The row was not there, and a delete could explain it.',
  'ambiguous-writer': 'Several committed transactions wrote the same version of the row.',
  truncated: 'What the decision needs had left the window: no doubt about what is in it; a larger window sees farther.',
  'late-writer': 'The writer had not arrived when waiting for it ended.',
  'lost-chunk': 'A part of the transaction was lost.',
  unproven: 'A violation was seen, but its evidence had left the window: no alarm without proof.',
  capacity: 'A bound of the checker was reached, or the writer may have been forgotten; the monitor’s log and configuration name the bounds.',
  'no-times': 'The transaction has no times, which strict-serializable asks for.',
  'search-budget': 'The search for an order of the versions reached its bound.',
  'list-length': 'A list was read that is longer than the checker looks at.',
  'list-order': 'Several may have written a version of a list: who came after whom is not known.',
  shed: 'The level that the transaction was promised was not checked for a time, to keep up.',
  'clocks-not-compared': 'The times of two clocks cannot be compared; strict-serializable needs one clock, or a bound on how far they are apart.',
  'weaker-writer': 'Transactions would contradict each other, but one that was promised less, or that nobody captured, may have written in between.',
  'mixed-versions': 'Applications declare the versions of one table differently: one by a column, one by xmin. None of them proves a writer.',
  'late-end': 'A transaction ended, or came, too late to be ordered by time.',
};

export const EDGES = {
  so: 'session order: earlier in the same session',
  wr: 'read dependency: the target read what the source wrote',
  ww: 'overwrite: the target overwrote what the source wrote',
  rw: 'anti-dependency: the target overwrote what the source read',
  co: 'commit order: inferred from a read',
  rt: 'real time: the source ended before the target began',
};

/** What all verdicts are of. */
export const SCOPE = 'Verdicts are of reads of rows by their key. Phantoms are not seen: that a query by another condition misses a row.';

/** The terms that the cards use. */
export const TERMS = [
  ['Promised', 'the level that every transaction of the history is held to; “by transaction” when each is held to the level that it ran at.'],
  ['Observed', 'the strongest level that was checked and held within the window. It is what the database showed, not a guarantee for the future.'],
  ['✓ pass', 'every transaction of the window was promised the level, everything was checked, and it held.'],
  ['✗ fail', 'the level was violated within the window. Each violation is listed below with its proof. What violates a level violates the stronger ones too.'],
  ['? undecided', 'no violation was seen, but something could not be checked; the reasons are counted. A doubt ends when the window has passed it.'],
  ['– not-checked', 'some transactions of the window were not promised the level, so that it can fail, but not pass.'],
  ['Coverage', 'the share of what the applications read whose writer was captured, or wrote before capture began; reads that were not captured count as missing. Below 100 % an anomaly may go unseen; it never causes a false alarm.'],
  ['Foreign', 'the share of reads of rows that somebody wrote without isotail’s driver, while capture was on. Whether they break a promise is checked as far as it can be; they are no part of the coverage.'],
  ['Window', 'the latest transactions, among which violations are found.'],
  ['Waiting', 'transactions that wait for the end of an earlier one in their session, or for the writer of what they read.'],
];
