package io.isotail.incremental;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Traffic of a shop with three services. Every transaction runs alone, but for those that a bug
 * lets overlap: the buyer reads the stock, another transaction changes it, and the buyer overwrites
 * that.
 */
final class Shop {
  static final String READ_STOCK = "SELECT amount FROM stock WHERE item = ?";
  static final String BUY = "UPDATE stock SET amount = ? WHERE item = ?";
  static final String ON_DUTY = "SELECT * FROM duty WHERE on_duty";
  static final String GO_OFF = "UPDATE duty SET on_duty = ? WHERE person = ?";
  static final String SUM = "SELECT amount FROM stock WHERE item = ? AND counted";
  private static final int ITEMS = 20;
  private static final int SESSIONS = 9;

  private final Random random;
  private final List<TransactionRecord> log = new ArrayList<>();
  private final long[] stock = new long[ITEMS];
  private final long[] duty = new long[1_000];
  private int forks;
  private final long[] price = new long[ITEMS];
  private final Map<Integer, Long> sequences = new HashMap<>();
  private long nextVersion = 1;
  private long nowNs = 1_000_000_000;
  private int bugs;

  private Shop(long seed) {
    this.random = Seeds.random(seed);
  }

  /** A shop in which the bug lets two transactions overlap once in {@code oneIn}. */
  static Shop of(long seed, int transactions, int oneIn) {
    return of(seed, transactions, oneIn, Shop::loseUpdate);
  }

  /** A shop in which this goes wrong once in {@code oneIn}. */
  static Shop of(long seed, int transactions, int oneIn, Consumer<Shop> bug) {
    Shop shop = new Shop(seed);
    for (int item = 0; item < ITEMS; item++) {
      shop.update(
          0, "warehouse", null, "stock", shop.stock, item, "INSERT INTO stock VALUES (?, ?)");
      shop.update(
          0, "warehouse", null, "price", shop.price, item, "INSERT INTO price VALUES (?, ?)");
    }
    while (shop.log.size() < transactions) {
      if (shop.random.nextInt(oneIn) == 0) {
        bug.accept(shop);
        shop.bugs++;
      } else {
        shop.any();
      }
    }
    return shop;
  }

  List<TransactionRecord> log() {
    return log;
  }

  /** How often the bug struck. */
  int bugs() {
    return bugs;
  }

  private void any() {
    int session = random.nextInt(SESSIONS);
    int item = random.nextInt(ITEMS);
    switch (random.nextInt(5)) {
      case 0 -> browse(session, "web", "GET /items", 3);
      case 1 -> browse(session, "reporting", null, ITEMS);
      case 2 ->
          update(
              session,
              "warehouse",
              null,
              "stock",
              stock,
              item,
              "UPDATE stock SET amount = amount + ?");
      case 3 ->
          update(session, "pricing", null, "price", price, item, "UPDATE price SET cents = ?");
      default -> update(session, "checkout", "POST /buy", "stock", stock, item, BUY);
    }
  }

  private void browse(int session, String service, String endpoint, int items) {
    Operations.Builder ops = new Operations.Builder();
    for (int i = 0; i < items; i++) {
      int item = random.nextInt(ITEMS);
      ops.statement(new Statement("stock", READ_STOCK)).read(key("stock", item), stock[item]);
      ops.statement(new Statement("price", "SELECT cents FROM price WHERE item = ?"));
      ops.read(key("price", item), price[item]);
    }
    commit(session, service, endpoint, nowNs, ops);
  }

  private void update(
      int session,
      String service,
      String endpoint,
      String table,
      long[] versions,
      int item,
      String statement) {
    Operations.Builder ops = new Operations.Builder();
    if (versions[item] != 0) {
      ops.statement(new Statement(table, table.equals("stock") ? READ_STOCK : "SELECT cents"));
      ops.read(key(table, item), versions[item]);
    }
    versions[item] = nextVersion++;
    ops.statement(new Statement(table, statement)).write(key(table, item), versions[item]);
    commit(session, service, endpoint, nowNs, ops);
  }

  /** A buyer reads; others change what it has read, each in a session of its own; it overwrites. */
  void loseUpdate() {
    int item = random.nextInt(ITEMS);
    Operations.Builder buyer = new Operations.Builder();
    buyer.statement(new Statement("stock", READ_STOCK)).read(key("stock", item), stock[item]);
    long beganNs = nowNs;
    boolean alsoBuys = random.nextBoolean();
    update(
        1,
        alsoBuys ? "checkout" : "warehouse",
        alsoBuys ? "POST /buy" : null,
        "stock",
        stock,
        item,
        alsoBuys ? BUY : "UPDATE stock SET amount = amount + ?");
    stock[item] = nextVersion++;
    buyer.statement(new Statement("stock", BUY)).write(key("stock", item), stock[item]);
    commit(SESSIONS, "checkout", "POST /buy", beganNs, buyer);
  }

  /** Two who have never been go off duty: each sees that the other one is on duty. */
  void skewWrites() {
    int one = 2 * bugs;
    Operations.Builder first = goesOff(one);
    Operations.Builder second = goesOff(one);
    long beganNs = nowNs;
    duty[one] = nextVersion++;
    duty[one + 1] = nextVersion++;
    first.statement(new Statement("duty", GO_OFF)).write(key("duty", one), duty[one]);
    second.statement(new Statement("duty", GO_OFF)).write(key("duty", one + 1), duty[one + 1]);
    commit(1, "roster", "POST /off-duty", beganNs, first);
    commit(SESSIONS, "roster", "POST /off-duty", beganNs, second);
  }

  private Operations.Builder goesOff(int pair) {
    Operations.Builder ops = new Operations.Builder().statement(new Statement("duty", ON_DUTY));
    for (int each = pair; each <= pair + 1; each++) {
      if (duty[each] == 0) {
        ops.readInitial(key("duty", each));
      } else {
        ops.read(key("duty", each), duty[each]);
      }
    }
    return ops;
  }

  /** A report reads one row before and one after a transaction that writes both. */
  void fractureRead() {
    report(false);
  }

  /** A report reads a row before and after a transaction that writes it. */
  void readTwice() {
    report(true);
  }

  private void report(boolean sameRow) {
    int a = random.nextInt(ITEMS - 1);
    int b = sameRow ? a : a + 1;
    Operations.Builder report = new Operations.Builder();
    long beganNs = nowNs;
    report.statement(new Statement("stock", SUM)).read(key("stock", a), stock[a]);
    Operations.Builder move = new Operations.Builder();
    for (int item = a; item <= a + 1; item++) {
      move.statement(new Statement("stock", READ_STOCK)).read(key("stock", item), stock[item]);
      stock[item] = nextVersion++;
      move.statement(new Statement("stock", BUY)).write(key("stock", item), stock[item]);
    }
    boolean buys = random.nextBoolean();
    commit(1, buys ? "checkout" : "warehouse", buys ? "POST /buy" : null, beganNs, move);
    report.statement(new Statement("stock", SUM)).read(key("stock", b), stock[b]);
    commit(SESSIONS, "reporting", "GET /sum", beganNs, report);
  }

  /** Two readers see two writes in opposite orders, as on replicas that apply them as they like. */
  void fork() {
    fork(false);
  }

  /** A long fork between writes that read nothing: which of two came first others have to show. */
  void forkBlindly() {
    fork(true);
  }

  private void fork(boolean blindly) {
    int a = random.nextInt(ITEMS - 1);
    long[] before = {stock[a], stock[a + 1]};
    long beganNs = nowNs;
    for (int writer = 0; writer <= 1; writer++) {
      if (blindly) {
        deliver(1 + writer, a + writer);
      } else {
        update(1 + writer, "checkout", "POST /buy", "stock", stock, a + writer, BUY);
      }
    }
    for (int reader = 0; reader <= 1; reader++) {
      Operations.Builder ops = new Operations.Builder().statement(new Statement("stock", SUM));
      ops.read(key("stock", a), reader == 0 ? stock[a] : before[0]);
      ops.read(key("stock", a + 1), reader == 1 ? stock[a + 1] : before[1]);
      commit(SESSIONS + 100 * ++forks, "reporting", "GET /sum", beganNs, ops);
    }
  }

  private void deliver(int session, int item) {
    stock[item] = nextVersion++;
    Operations.Builder ops = new Operations.Builder();
    ops.statement(new Statement("stock", "UPDATE stock SET amount = amount + ?"));
    commit(session, "warehouse", null, nowNs, ops.write(key("stock", item), stock[item]));
  }

  private void commit(
      int session, String service, String endpoint, long beginNs, Operations.Builder ops) {
    nowNs += 1_000_000;
    int own = session * 10 + service.length();
    long sequence = sequences.merge(own, 1L, Long::sum) - 1;
    log.add(
        new TransactionRecord(
            new SessionInfo(own, service + session, null, service, null, null, 0),
            sequence,
            sequence + 1,
            0,
            Outcome.COMMITTED,
            "postgresql:read-committed",
            beginNs,
            nowNs,
            "clock",
            ops.build(),
            Origin.of(null, endpoint, null)));
    nowNs += 1_000;
  }

  private static long key(String table, int item) {
    return table.hashCode() * 1_000L + item;
  }
}
