package io.isotail.ingest.shop;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * What the shop does, right but for {@link #STOCKTAKE}. Rows of {@code stock} are locked by those
 * who read them to write, and read by one statement else, so that read committed is enough. What
 * else there is runs at serializable and is repeated where the database refuses it. No endpoint
 * does both: PostgreSQL's serializable does not see writers of other levels.
 */
public final class ShopEndpoints {
  /** Reads the stock of an item. */
  public static final String STOCK = "SELECT amount FROM stock WHERE item = ?";

  /** Sets the stock of an item, whatever it was. */
  public static final String SET_STOCK = "UPDATE stock SET amount = ? WHERE item = ?";

  private static final String SELL = "UPDATE stock SET amount = amount - ? WHERE item = ?";
  private static final String DELIVER = "UPDATE stock SET amount = amount + ? WHERE item = ?";
  private static final String BALANCES =
      "SELECT balance FROM account WHERE customer = ? ORDER BY kind";
  private static final String CHARGE =
      "UPDATE account SET balance = balance - ? WHERE customer = ? AND kind = ?";

  /** Shows two items. */
  public static final ShopEndpoint SHOW =
      new ShopEndpoint(
          ShopService.STOREFRONT, "/items", TRANSACTION_SERIALIZABLE, 2, ShopEndpoints::show);

  /** Sets a price. */
  public static final ShopEndpoint REPRICE =
      new ShopEndpoint(
          ShopService.STOREFRONT, "/prices", TRANSACTION_SERIALIZABLE, 1, ShopEndpoints::reprice);

  /** Tells how many there are of an item. */
  public static final ShopEndpoint AVAILABLE =
      new ShopEndpoint(
          ShopService.STOREFRONT,
          "/available",
          TRANSACTION_READ_COMMITTED,
          1,
          request -> request.read(STOCK, request.ids()[0]));

  /** Sells one of an item. */
  public static final ShopEndpoint CHECK_OUT =
      new ShopEndpoint(
          ShopService.STOREFRONT,
          "/checkout",
          TRANSACTION_READ_COMMITTED,
          1,
          ShopEndpoints::checkOut);

  /** Receives five of an item. */
  public static final ShopEndpoint DELIVERY =
      new ShopEndpoint(
          ShopService.WAREHOUSE,
          "/deliveries",
          TRANSACTION_READ_COMMITTED,
          1,
          request -> request.write(DELIVER, 5, request.ids()[0]));

  /** Moves one from a shelf to another. */
  public static final ShopEndpoint MOVE =
      new ShopEndpoint(
          ShopService.WAREHOUSE, "/moves", TRANSACTION_READ_COMMITTED, 2, ShopEndpoints::move);

  /** Charges a customer. */
  public static final ShopEndpoint PAYMENT =
      new ShopEndpoint(
          ShopService.BILLING, "/payments", TRANSACTION_SERIALIZABLE, 1, ShopEndpoints::payment);

  /** Tells what a customer has. */
  public static final ShopEndpoint BALANCE =
      new ShopEndpoint(
          ShopService.BILLING,
          "/balance",
          TRANSACTION_SERIALIZABLE,
          1,
          request -> request.read(BALANCES, request.ids()[0]));

  /** Those that keep serializable. */
  public static final List<ShopEndpoint> RIGHT =
      List.of(SHOW, REPRICE, AVAILABLE, CHECK_OUT, DELIVERY, MOVE, PAYMENT, BALANCE);

  /** The bug: what is sold while the shelf is counted is lost when the count is written. */
  public static final ShopEndpoint STOCKTAKE = stocktake(STOCK);

  /** Those that write. */
  static final Set<ShopEndpoint> WRITERS =
      Set.of(REPRICE, CHECK_OUT, DELIVERY, MOVE, PAYMENT, STOCKTAKE);

  private ShopEndpoints() {}

  /**
   * Counts what lies on a shelf, and notes it.
   *
   * @param read the statement that reads the stock
   */
  public static ShopEndpoint stocktake(String read) {
    return new ShopEndpoint(
        ShopService.WAREHOUSE,
        "/stocktake",
        TRANSACTION_READ_COMMITTED,
        1,
        request -> {
          long amount = request.read(read, request.ids()).get(0);
          request.interruptible();
          request.write(SET_STOCK, amount + 1, request.ids()[0]);
        });
  }

  private static void show(ShopRequest request) throws SQLException {
    request.read("SELECT price FROM item WHERE id IN (?, ?)", request.ids());
  }

  private static void reprice(ShopRequest request) throws SQLException {
    long price = request.read("SELECT price FROM item WHERE id = ?", request.ids()).get(0);
    request.write("UPDATE item SET price = ? WHERE id = ?", price % 1_000 + 1, request.ids()[0]);
  }

  private static void checkOut(ShopRequest request) throws SQLException {
    long item = request.ids()[0];
    if (request.read(STOCK + " FOR UPDATE", item).get(0) > 0) {
      request.write(SELL, 1, item);
      request.write("INSERT INTO purchase (id, item) VALUES (?, ?)", request.number(), item);
    }
  }

  private static void move(ShopRequest request) throws SQLException {
    request.read(
        "SELECT amount FROM stock WHERE item IN (?, ?) ORDER BY item FOR UPDATE", request.ids());
    request.write("UPDATE stock SET amount = amount - ? WHERE item = ?", 1, request.ids()[0]);
    request.write(DELIVER, 1, request.ids()[1]);
  }

  private static void payment(ShopRequest request) throws SQLException {
    long customer = request.ids()[0];
    List<Long> balances = request.read(BALANCES, customer);
    request.write(CHARGE, 1, customer, balances.get(0) > balances.get(1) ? 0 : 1);
    request.write("INSERT INTO invoice (id, customer) VALUES (?, ?)", request.number(), customer);
    request.read("SELECT customer FROM invoice WHERE id = ?", request.number());
  }
}
