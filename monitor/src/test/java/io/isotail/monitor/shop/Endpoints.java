package io.isotail.monitor.shop;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;

import io.isotail.monitor.shop.Endpoint.ServiceName;
import java.sql.SQLException;
import java.util.List;

/**
 * What the shop does right. Rows of {@code stock} are locked by those who read them to write, and
 * read by one statement else, so that read committed is enough. What else there is runs at
 * serializable and is repeated where the database refuses it. No endpoint does both: PostgreSQL's
 * serializable does not see writers of other levels.
 */
final class Endpoints {
  static final String STOCK = "SELECT amount FROM stock WHERE item = ?";
  private static final String SELL = "UPDATE stock SET amount = amount - ? WHERE item = ?";
  private static final String DELIVER = "UPDATE stock SET amount = amount + ? WHERE item = ?";
  private static final String BALANCES =
      "SELECT balance FROM account WHERE customer = ? ORDER BY kind";
  private static final String CHARGE =
      "UPDATE account SET balance = balance - ? WHERE customer = ? AND kind = ?";

  static final Endpoint SHOW =
      new Endpoint(ServiceName.STOREFRONT, "/items", TRANSACTION_SERIALIZABLE, 2, Endpoints::show);
  static final Endpoint REPRICE =
      new Endpoint(
          ServiceName.STOREFRONT, "/prices", TRANSACTION_SERIALIZABLE, 1, Endpoints::reprice);
  static final Endpoint AVAILABLE =
      new Endpoint(
          ServiceName.STOREFRONT,
          "/available",
          TRANSACTION_READ_COMMITTED,
          1,
          call -> call.read(STOCK, call.ids()[0]));
  static final Endpoint CHECK_OUT =
      new Endpoint(
          ServiceName.STOREFRONT, "/checkout", TRANSACTION_READ_COMMITTED, 1, Endpoints::checkOut);
  static final Endpoint DELIVERY =
      new Endpoint(
          ServiceName.WAREHOUSE,
          "/deliveries",
          TRANSACTION_READ_COMMITTED,
          1,
          call -> call.write(DELIVER, 5, call.ids()[0]));
  static final Endpoint MOVE =
      new Endpoint(ServiceName.WAREHOUSE, "/moves", TRANSACTION_READ_COMMITTED, 2, Endpoints::move);
  static final Endpoint PAYMENT =
      new Endpoint(
          ServiceName.BILLING, "/payments", TRANSACTION_SERIALIZABLE, 1, Endpoints::payment);
  static final Endpoint BALANCE =
      new Endpoint(
          ServiceName.BILLING,
          "/balance",
          TRANSACTION_SERIALIZABLE,
          1,
          call -> call.read(BALANCES, call.ids()[0]));

  /** All of them. */
  static final List<Endpoint> ALL =
      List.of(SHOW, REPRICE, AVAILABLE, CHECK_OUT, DELIVERY, MOVE, PAYMENT, BALANCE);

  private Endpoints() {}

  private static void show(Call call) throws SQLException {
    call.read("SELECT price FROM item WHERE id IN (?, ?)", call.ids());
  }

  private static void reprice(Call call) throws SQLException {
    long price = call.read("SELECT price FROM item WHERE id = ?", call.ids()).get(0);
    call.write("UPDATE item SET price = ? WHERE id = ?", price % 1_000 + 1, call.ids()[0]);
  }

  private static void checkOut(Call call) throws SQLException {
    long item = call.ids()[0];
    if (call.read("SELECT amount FROM stock WHERE item = ? FOR UPDATE", item).get(0) > 0) {
      call.write(SELL, 1, item);
      call.write("INSERT INTO purchase (id, item) VALUES (?, ?)", call.number(), item);
    }
  }

  private static void move(Call call) throws SQLException {
    call.read("SELECT amount FROM stock WHERE item IN (?, ?) ORDER BY item FOR UPDATE", call.ids());
    call.write("UPDATE stock SET amount = amount - ? WHERE item = ?", 1, call.ids()[0]);
    call.write(DELIVER, 1, call.ids()[1]);
  }

  private static void payment(Call call) throws SQLException {
    long customer = call.ids()[0];
    List<Long> balances = call.read(BALANCES, customer);
    call.write(CHARGE, 1, customer, balances.get(0) > balances.get(1) ? 0 : 1);
    call.write("INSERT INTO invoice (id, customer) VALUES (?, ?)", call.number(), customer);
    call.read("SELECT customer FROM invoice WHERE id = ?", call.number());
  }
}
