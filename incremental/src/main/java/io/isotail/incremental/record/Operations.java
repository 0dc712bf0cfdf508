package io.isotail.incremental.record;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one transaction record in program order, stored by column. Immutable.
 *
 * <p>Keys and versions are 64-bit identities: hashes made by the proxy, or the numbers of a history
 * file. Names in clear are optional and serve people only.
 */
public final class Operations {

  private static final OperationKind[] KINDS = OperationKind.values();
  private static final VersionKind[] VERSION_KINDS = VersionKind.values();

  /** No operations at all. */
  public static final Operations EMPTY = new Builder().build();

  private static final int KIND_BITS = 0x07;
  private static final int VERSION_KIND_SHIFT = 3;
  private static final int VERSION_KIND_BITS = 0x03;
  private static final int LISTED = OperationKind.LISTED.ordinal();
  private static final int KNOWN = VersionKind.KNOWN.ordinal() << VERSION_KIND_SHIFT;
  private static final int UNDONE = 0x20;
  private static final int SURELY_INITIAL = 0x40;
  private static final int REPLACES = 0x80;

  /** For each operation its kind, what is known of its versions, and whether it was undone. */
  final byte[] flags;

  /** The keys of all operations, then their versions. */
  private final long[] keysAndVersions;

  /** For each operation the version that it replaced, where that is known; null if none is. */
  final long @Nullable [] replaced;

  private final int @Nullable [] statementIndexes;
  private final List<Statement> statements;
  final String @Nullable [] keyNames;
  final String @Nullable [] versionNames;
  private final int database;

  private Operations(Builder b) {
    this.database = b.size == 0 ? 0 : b.database;
    this.flags = Arrays.copyOf(b.flags, b.size);
    this.keysAndVersions = new long[2 * b.size];
    System.arraycopy(b.keys, 0, keysAndVersions, 0, b.size);
    System.arraycopy(b.versions, 0, keysAndVersions, b.size, b.size);
    this.replaced = b.anyReplaced ? Arrays.copyOf(b.replaced, b.size) : null;
    this.statements = b.statements.isEmpty() ? List.of() : List.copyOf(b.statements);
    this.statementIndexes = statements.isEmpty() ? null : Arrays.copyOf(b.statementIndexes, b.size);
    this.keyNames = b.anyKeyName ? Arrays.copyOf(b.keyNames, b.size) : null;
    this.versionNames = b.anyVersionName ? Arrays.copyOf(b.versionNames, b.size) : null;
  }

  /** Operations of these columns, which nobody changes from here on. */
  Operations(
      byte[] flags,
      long[] keysAndVersions,
      long @Nullable [] replaced,
      int @Nullable [] statementIndexes,
      List<Statement> statements,
      String @Nullable [] keyNames,
      String @Nullable [] versionNames,
      int database) {
    this.database = flags.length == 0 ? 0 : database;
    this.flags = flags;
    this.keysAndVersions = keysAndVersions;
    this.replaced = replaced;
    this.statementIndexes = statementIndexes;
    this.statements = statements;
    this.keyNames = keyNames;
    this.versionNames = versionNames;
  }

  /** Number of operations. */
  public int size() {
    return flags.length;
  }

  /** What operation {@code i} did. */
  public OperationKind kind(int i) {
    return KINDS[flags[i] & KIND_BITS];
  }

  /**
   * Key of operation {@code i}. That of {@link OperationKind#OPAQUE} is 0, but for a statement that
   * names the row which it may have written, besides what a trigger does.
   */
  public long key(int i) {
    return keysAndVersions[i];
  }

  /**
   * Version of operation {@code i}; meaningless unless {@link VersionKind#KNOWN}. That of {@link
   * OperationKind#OPAQUE} is none, but the content that the row had behind it; see {@link
   * #tellsContent}.
   */
  public long version(int i) {
    return keysAndVersions[flags.length + i];
  }

  /** What is known of the version of operation {@code i}. */
  public VersionKind versionKind(int i) {
    return VERSION_KINDS[(flags[i] >> VERSION_KIND_SHIFT) & VERSION_KIND_BITS];
  }

  /**
   * Whether it is known which version of the key write or delete {@code i} replaced. That is no
   * read: the transaction need not have seen it.
   */
  public boolean replaces(int i) {
    return (flags[i] & REPLACES) != 0;
  }

  /**
   * Version that operation {@code i} replaced; meaningless unless it {@link #replaces} a known one.
   */
  public long replaced(int i) {
    return replaced == null ? 0 : replaced[i];
  }

  /** Whether the version that any operation replaced is known. */
  public boolean anyReplaced() {
    return replaced != null;
  }

  /** These operations, of which it is known of some keys alone which version was replaced. */
  public Operations withReplacedOf(LongPredicate key) {
    if (replaced == null) {
      return this;
    }
    byte[] left = flags.clone();
    boolean any = false;
    for (int i = 0; i < left.length; i++) {
      if (replaces(i) && !key.test(key(i))) {
        left[i] &= (byte) ~REPLACES;
      }
      any |= (left[i] & REPLACES) != 0;
    }
    return new Operations(
        left,
        keysAndVersions,
        any ? replaced : null,
        statementIndexes,
        statements,
        keyNames,
        versionNames,
        database);
  }

  /** These operations alone, in the same order. */
  public Operations only(BitSet selected) {
    return selected.cardinality() == size() ? this : SelectedOperations.of(this, selected);
  }

  /** Those that changed something, or may have. */
  public Operations withoutReads() {
    BitSet kept = new BitSet();
    for (int i = 0; i < size(); i++) {
      kept.set(i, kind(i) != OperationKind.READ && kind(i) != OperationKind.LISTED);
    }
    return only(kept);
  }

  /**
   * Whether operation {@code i} is a listed version that the next operation, a listed version or a
   * read, directly succeeds.
   */
  public boolean listedBefore(int i) {
    return i + 1 < flags.length
        && kind(i) == OperationKind.LISTED
        && key(i) == key(i + 1)
        && goesOn(flags[i + 1]);
  }

  /**
   * The read that ends the list which operation {@code i} is an element of; {@code i} itself where
   * it is none, or where no read ends the list.
   */
  public int listEnd(int i) {
    int read = i;
    while ((flags[read] & KIND_BITS) == LISTED
        && read + 1 < flags.length
        && goesOn(flags[read + 1])
        && keysAndVersions[read + 1] == keysAndVersions[read]) {
      read++;
    }
    return kind(read) == OperationKind.READ ? read : i;
  }

  /** Whether an operation with these flags may stand behind a listed version. */
  private static boolean goesOn(byte flags) {
    int shown = flags & (KIND_BITS | VERSION_KIND_BITS << VERSION_KIND_SHIFT);
    return shown == (LISTED | KNOWN) || shown == (OperationKind.READ.ordinal() | KNOWN);
  }

  /**
   * Whether the versions of these operations ascend, so that none is there twice; false proves
   * nothing.
   */
  public boolean ascends(int first, int last) {
    for (int i = first; i < last; i++) {
      if (version(i) >= version(i + 1)) {
        return false;
      }
    }
    return true;
  }

  /** Whether any list was read. */
  public boolean anyList() {
    for (int i = 0; i < size(); i++) {
      if (kind(i) == OperationKind.LISTED) {
        return true;
      }
    }
    return false;
  }

  /** Whether operation {@code i} showed an element of a list, be it the last one. */
  public boolean isOfList(int i) {
    return kind(i) == OperationKind.LISTED
        || (kind(i) == OperationKind.READ && i > 0 && listedBefore(i - 1));
  }

  /** Most elements of a list read that are kept. */
  public static final int MOST_ELEMENTS = 10_000;

  /**
   * These operations, where list reads of more than that many elements returned what is unknown.
   */
  public Operations withoutLongLists(int mostElements) {
    if (size() <= mostElements) {
      return this;
    }
    Builder kept = new Builder();
    boolean anyLong = false;
    for (int i = 0; i < size(); i++) {
      int end = kind(i) == OperationKind.LISTED ? listEnd(i) : i;
      if (end - i < mostElements) {
        for (int each = i; each <= end; each++) {
          kept.addOne(this, each);
        }
      } else {
        anyLong = true;
        kept.addOne(this, i).unknown();
        kept.addOne(this, end).unknown();
      }
      i = end;
    }
    return anyLong ? kept.build() : this;
  }

  /** Whether operation {@code i} read a list that was too long to be kept. */
  public boolean isOfLongList(int i) {
    return kind(i) == OperationKind.READ
        && versionKind(i) == VersionKind.UNKNOWN
        && i > 0
        && kind(i - 1) == OperationKind.LISTED
        && versionKind(i - 1) == VersionKind.UNKNOWN
        && key(i - 1) == key(i);
  }

  /** Whether operation {@code i} showed a known version: a read, or an element of a list read. */
  public boolean shows(int i) {
    OperationKind kind = kind(i);
    return (kind == OperationKind.READ || kind == OperationKind.LISTED)
        && !undone(i)
        && versionKind(i) == VersionKind.KNOWN;
  }

  /**
   * These operations alone, and with an element of a list the whole list: whoever leaves one out
   * makes neighbours of those beside it.
   */
  public Operations withWholeLists(BitSet selected) {
    BitSet whole = (BitSet) selected.clone();
    for (int i = 0; i < size(); i++) {
      int end = kind(i) == OperationKind.LISTED ? listEnd(i) : i;
      if (end > i) {
        int first = selected.nextSetBit(i);
        if (first >= 0 && first <= end) {
          whole.set(i, end + 1);
        }
        i = end;
      }
    }
    return only(whole);
  }

  /** Whether operation {@code i} wrote or deleted its key, and was not undone. */
  public boolean isWrite(int i) {
    OperationKind kind = kind(i);
    return (kind == OperationKind.WRITE || kind == OperationKind.DELETE) && !undone(i);
  }

  /** Whether operation {@code i} installed a known version, and was not undone. */
  public boolean installs(int i) {
    return kind(i) == OperationKind.WRITE && versionKind(i) == VersionKind.KNOWN && !undone(i);
  }

  /** Whether operation {@code i} changed something or may have, and was not undone. */
  public boolean mayWrite(int i) {
    OperationKind kind = kind(i);
    return kind != OperationKind.READ && kind != OperationKind.LISTED && !undone(i);
  }

  /**
   * Whether a key was overwritten of which no version, nor that it was missing, was read before.
   */
  public boolean overwriteUnread() {
    LongOpenHashSet touched = new LongOpenHashSet();
    for (int i = 0; i < size(); i++) {
      boolean writes = isWrite(i);
      if (writes && !touched.contains(key(i))) {
        return true;
      }
      boolean reads = kind(i) == OperationKind.READ && versionKind(i) != VersionKind.UNKNOWN;
      if (writes || (reads && !undone(i))) {
        touched.add(key(i));
      }
    }
    return false;
  }

  /** Whether the first write of a key inserted its row, which was missing. */
  public boolean inserts(long key) {
    for (int i = 0; i < size(); i++) {
      if (key(i) == key && isWrite(i)) {
        return statement(i).inserts();
      }
    }
    return false;
  }

  /** Whether operation {@code i} is a read of a known version, and was not undone. */
  public boolean readsKnown(int i) {
    return kind(i) == OperationKind.READ && versionKind(i) == VersionKind.KNOWN && !undone(i);
  }

  /**
   * Whether operation {@code i} may have written the row that it names, and tells the content that
   * this had then, as a read does; see {@link Statement#columns}.
   */
  public boolean tellsContent(int i) {
    return kind(i) == OperationKind.OPAQUE
        && versionKind(i) == VersionKind.KNOWN
        && !undone(i)
        && statement(i).readsContents();
  }

  /**
   * Whether the server has told that its log has nothing of this transaction, whatever it may have
   * written by its statements.
   */
  public boolean loggedNothing() {
    for (int i = size() - 1; i >= 0; i--) {
      if (kind(i) == OperationKind.OPAQUE && statement(i).isOfServer()) {
        return true;
      }
    }
    return false;
  }

  /** Whether operation {@code i} is a read that found its key absent, and was not undone. */
  public boolean readsInitial(int i) {
    return kind(i) == OperationKind.READ && versionKind(i) == VersionKind.INITIAL && !undone(i);
  }

  /** Whether operation {@code i} was undone by a savepoint or by a failed statement. */
  public boolean undone(int i) {
    return (flags[i] & UNDONE) != 0;
  }

  /** Whether operation {@code i} is certain to have read the initial version of its key. */
  public boolean surelyInitial(int i) {
    return (flags[i] & SURELY_INITIAL) != 0;
  }

  /**
   * Whether operation {@code i} read a version that was written before capture began, and that
   * counts as the initial one. Its number, which is never 0, is kept for people.
   */
  public boolean beforeCapture(int i) {
    return surelyInitial(i) && version(i) != 0;
  }

  /** Whether operation {@code i} found no row, and nobody counts as a writer before it. */
  public boolean isSurelyAbsent(int i) {
    return surelyInitial(i) && version(i) == 0;
  }

  /** These operations, of which the selected reads are certain to be of the initial version. */
  public Operations withInitial(BitSet selected) {
    byte[] marked = flags.clone();
    for (int i = selected.nextSetBit(0); i >= 0; i = selected.nextSetBit(i + 1)) {
      marked[i] &= (byte) ~(VERSION_KIND_BITS << VERSION_KIND_SHIFT);
      marked[i] |= (byte) (VersionKind.INITIAL.ordinal() << VERSION_KIND_SHIFT | SURELY_INITIAL);
    }
    return new Operations(
        marked,
        keysAndVersions,
        replaced,
        statementIndexes,
        statements,
        keyNames,
        versionNames,
        database);
  }

  /** These operations, where write {@code i}, whose version was not seen, installed this one. */
  public Operations withVersion(int i, long version) {
    byte[] known = flags.clone();
    known[i] &= (byte) ~(VERSION_KIND_BITS << VERSION_KIND_SHIFT);
    known[i] |= (byte) (VersionKind.KNOWN.ordinal() << VERSION_KIND_SHIFT);
    long[] versions = keysAndVersions.clone();
    versions[flags.length + i] = version;
    return new Operations(
        known, versions, replaced, statementIndexes, statements, keyNames, versionNames, database);
  }

  /**
   * These operations, as those of a database of the history: no key of theirs is one of another
   * database, and no id of a writer.
   *
   * @param number of the database; those of the first one, 0, stay as they are
   */
  public Operations inDatabase(int number) {
    return number == database ? this : DatabaseKeys.of(this, number);
  }

  Operations with(long[] otherKeysAndVersions, long @Nullable [] otherReplaced, int number) {
    return new Operations(
        flags,
        otherKeysAndVersions,
        otherReplaced,
        statementIndexes,
        statements,
        keyNames,
        versionNames,
        number);
  }

  /** Number of the database that they are of. */
  public int database() {
    return database;
  }

  /** Key of operation {@code i} as the proxy told it. */
  public long plainKey(int i) {
    return key(i) ^ DatabaseKeys.salt(database);
  }

  /** Version of operation {@code i} as the proxy told it. */
  public long plainVersion(int i) {
    return database == 0 ? version(i) : DatabaseKeys.plainVersion(this, i, version(i));
  }

  /** Version that operation {@code i} replaced as the proxy told it. */
  public long plainReplaced(int i) {
    return database == 0 ? replaced(i) : DatabaseKeys.plainVersion(this, i, replaced(i));
  }

  /**
   * These operations, and then a write that was not seen: {@code read} of {@code reader} returned
   * what it installed.
   */
  public Operations withUnseenWrite(Operations reader, int read) {
    return new Builder().addAll(this).addUnseenWrite(reader, read).build();
  }

  /** These operations, and a write that was not seen before {@code read}, which returned it. */
  public Operations withOwnUnseenWrite(int read) {
    Builder all = new Builder();
    for (int i = 0; i < size(); i++) {
      if (i == read) {
        all.addUnseenWrite(this, read);
      }
      all.addOne(this, i);
    }
    return all.build();
  }

  /** Whether the version of operation {@code i} is the id of the transaction that wrote it. */
  public boolean namesWriters(int i) {
    int index = statementIndex(i);
    return index >= 0 && statements.get(index).namesWriters();
  }

  /** Whether any statement of this record has versions that name their writers. */
  public boolean anyNamesWriters() {
    for (int s = 0; s < statements.size(); s++) {
      if (statements.get(s).namesWriters()) {
        return true;
      }
    }
    return false;
  }

  /** Index of the statement of operation {@code i} in {@link #statements()}, or -1. */
  public int statementIndex(int i) {
    return statementIndexes == null ? -1 : statementIndexes[i];
  }

  /** Statement of operation {@code i}; one without table and text when unknown. */
  public Statement statement(int i) {
    int index = statementIndex(i);
    return index < 0 ? Statement.NONE : statements.get(index);
  }

  /** The distinct statements of this record. */
  public List<Statement> statements() {
    return statements;
  }

  /** Name in clear of the key of operation {@code i}, or null. */
  public @Nullable String keyName(int i) {
    return keyNames == null ? null : keyNames[i];
  }

  /** Name in clear of the version of operation {@code i}, or null. */
  public @Nullable String versionName(int i) {
    return versionNames == null ? null : versionNames[i];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Operations o
        && Arrays.equals(flags, o.flags)
        && Arrays.equals(keysAndVersions, o.keysAndVersions)
        && equalReplaced(o)
        && Arrays.equals(statementIndexes, o.statementIndexes)
        && statements.equals(o.statements)
        && Arrays.equals(keyNames, o.keyNames)
        && Arrays.equals(versionNames, o.versionNames);
  }

  private boolean equalReplaced(Operations other) {
    for (int i = 0; i < flags.length && (replaced != null || other.replaced != null); i++) {
      if (replaces(i) && replaced(i) != other.replaced(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(keysAndVersions);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < size(); i++) {
      if (i > 0) {
        text.append(", ");
      }
      text.append(kind(i)).append(' ').append(key(i)).append(' ');
      text.append(versionKind(i) == VersionKind.KNOWN ? version(i) : versionKind(i));
      if (replaces(i)) {
        text.append(" replacing ").append(replaced(i));
      }
      if (undone(i)) {
        text.append(" undone");
      }
    }
    return text.append(']').toString();
  }

  /** Collects operations in program order. Not thread-safe; may be reused after {@link #clear}. */
  public static final class Builder {
    private static final long[] NOTHING_REPLACED = {};

    private int size;
    private byte[] flags = new byte[8];
    private long[] keys = new long[8];
    private long[] versions = new long[8];
    private long[] replaced = NOTHING_REPLACED;
    private boolean anyReplaced;
    private int[] statementIndexes = new int[8];
    private final List<Statement> statements = new ArrayList<>();
    private String[] keyNames = new String[8];
    private String[] versionNames = new String[8];
    private boolean anyKeyName;
    private boolean anyVersionName;
    private int currentStatement = -1;
    private int database;

    /** Number of operations collected. */
    public int size() {
      return size;
    }

    /** What the operation added last did. */
    public OperationKind kindOfLast() {
      return KINDS[flags[size - 1] & KIND_BITS];
    }

    Builder inDatabase(int number) {
      database = number;
      return this;
    }

    /** The operations are of the same database as these. */
    public Builder inDatabaseOf(Operations others) {
      database = others.database;
      return this;
    }

    /** The operations that follow belong to this statement; null for none. */
    public Builder statement(@Nullable Statement statement) {
      if (statement == null) {
        currentStatement = -1;
        return this;
      }
      if (currentStatement >= 0 && statements.get(currentStatement).equals(statement)) {
        return this;
      }
      currentStatement = statements.indexOf(statement);
      if (currentStatement < 0) {
        currentStatement = statements.size();
        statements.add(statement);
      }
      return this;
    }

    /** A read that returned a version. */
    public Builder read(long key, long version) {
      return add(OperationKind.READ, key, VersionKind.KNOWN, version);
    }

    /** A read that found the key absent. */
    public Builder readInitial(long key) {
      return add(OperationKind.READ, key, VersionKind.INITIAL, 0);
    }

    /** A write that installed a version. */
    public Builder write(long key, long version) {
      return add(OperationKind.WRITE, key, VersionKind.KNOWN, version);
    }

    /** A write whose version the proxy could not see. */
    public Builder writeUnknown(long key) {
      return add(OperationKind.WRITE, key, VersionKind.UNKNOWN, 0);
    }

    /** A removal of the key. */
    public Builder delete(long key) {
      return add(OperationKind.DELETE, key, VersionKind.UNKNOWN, 0);
    }

    /** A statement that may have written any key of the current statement's table. */
    public Builder opaque() {
      return add(OperationKind.OPAQUE, 0, VersionKind.UNKNOWN, 0);
    }

    /** A statement that names a key of the current statement's table, and may have written it. */
    public Builder opaque(long key) {
      return add(OperationKind.OPAQUE, key, VersionKind.UNKNOWN, 0);
    }

    /**
     * A statement that names a key of the current statement's table, has found its row, and may
     * have changed it: this is the content that it had then.
     */
    public Builder opaque(long key, long content) {
      return add(OperationKind.OPAQUE, key, VersionKind.KNOWN, content);
    }

    /** Any operation. */
    public Builder add(OperationKind kind, long key, VersionKind versionKind, long version) {
      if (size == flags.length) {
        grow(size * 2);
      }
      flags[size] = (byte) (kind.ordinal() | versionKind.ordinal() << VERSION_KIND_SHIFT);
      keys[size] = key;
      versions[size] = version;
      statementIndexes[size] = currentStatement;
      keyNames[size] = null;
      versionNames[size] = null;
      size++;
      return this;
    }

    /**
     * The write or delete added last replaced this version of its key; told as {@link #version} is.
     *
     * @throws IllegalStateException if an operation of another kind was added last
     */
    public Builder replaces(long version) {
      OperationKind kind = kindOfLast();
      if (kind != OperationKind.WRITE && kind != OperationKind.DELETE) {
        throw new IllegalStateException(kind + " replaces nothing; expected WRITE or DELETE");
      }
      if (replaced.length < flags.length) {
        replaced = Arrays.copyOf(replaced, flags.length);
      }
      flags[size - 1] |= (byte) REPLACES;
      replaced[size - 1] = version;
      anyReplaced = true;
      return this;
    }

    /** Names in clear for the operation added last. */
    public Builder names(@Nullable String keyName, @Nullable String versionName) {
      keyNames[size - 1] = keyName;
      versionNames[size - 1] = versionName;
      anyKeyName |= keyName != null;
      anyVersionName |= versionName != null;
      return this;
    }

    private Builder addUnseenWrite(Operations reader, int read) {
      return inDatabaseOf(reader)
          .statement(reader.statement(read).unseen())
          .write(reader.key(read), reader.version(read))
          .names(reader.keyName(read), reader.versionName(read));
    }

    /** Marks the operations from index {@code from} on as undone. */
    public Builder undoFrom(int from) {
      for (int i = from; i < size; i++) {
        flags[i] |= UNDONE;
      }
      return this;
    }

    /** The operation added last is certain to have read the initial version. */
    Builder surelyInitial() {
      flags[size - 1] |= SURELY_INITIAL;
      return this;
    }

    /** The version of the operation added last is not known. */
    private void unknown() {
      flags[size - 1] &= (byte) ~(VERSION_KIND_BITS << VERSION_KIND_SHIFT);
      flags[size - 1] |= (byte) (VersionKind.UNKNOWN.ordinal() << VERSION_KIND_SHIFT);
      versions[size - 1] = 0;
      versionNames[size - 1] = null;
    }

    /** Appends every operation of {@code other}. */
    public Builder addAll(Operations other) {
      for (int i = 0; i < other.size(); i++) {
        addOne(other, i);
      }
      return this;
    }

    /** Appends operation {@code i} of {@code other} with all that is known of it. */
    public Builder addOne(Operations other, int i) {
      database = other.database;
      statement(other.statementIndex(i) < 0 ? null : other.statement(i));
      add(other.kind(i), other.key(i), other.versionKind(i), other.version(i));
      if (other.replaces(i)) {
        replaces(other.replaced(i));
      }
      flags[size - 1] = other.flags[i];
      return names(other.keyName(i), other.versionName(i));
    }

    /** Forgets everything collected. */
    public Builder clear() {
      size = 0;
      database = 0;
      statements.clear();
      currentStatement = -1;
      anyKeyName = false;
      anyVersionName = false;
      anyReplaced = false;
      return this;
    }

    /** The operations collected so far. */
    public Operations build() {
      return new Operations(this);
    }

    private void grow(int capacity) {
      flags = Arrays.copyOf(flags, capacity);
      keys = Arrays.copyOf(keys, capacity);
      versions = Arrays.copyOf(versions, capacity);
      statementIndexes = Arrays.copyOf(statementIndexes, capacity);
      keyNames = Arrays.copyOf(keyNames, capacity);
      versionNames = Arrays.copyOf(versionNames, capacity);
    }
  }
}
