package io.isotail.monitor.shop;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.ingest.shop.ShopEndpoint;
import io.isotail.ingest.shop.ShopEndpoints;
import io.isotail.ingest.shop.ShopService;
import io.isotail.monitor.shop.Shop.Interrupted;
import java.util.List;
import java.util.function.BiFunction;

/** A fault of one endpoint: how it strikes, and what the person on call has to be told of it. */
enum Incident {
  LOST_UPDATE(
      AnomalyKind.LOST_UPDATE,
      ShopEndpoints.stocktake(ShopEndpoints.STOCK),
      (faulty, ids) -> Interrupted.of(faulty, first(ids), Interrupted.of(faulty, first(ids))),
      "stock",
      List.of(
          new Remedy(
              "add FOR UPDATE to `" + ShopEndpoints.STOCK + "`",
              ShopEndpoints.stocktake(ShopEndpoints.STOCK + " FOR UPDATE")),
          new Remedy(
              "let `" + ShopEndpoints.SET_STOCK + "` compute the new value from the row",
              stocktakeRelatively())),
      ShopEndpoints.STOCK,
      ShopEndpoints.SET_STOCK),

  WRITE_SKEW(
      AnomalyKind.WRITE_SKEW,
      refund(TRANSACTION_REPEATABLE_READ, Statements.BALANCES),
      (faulty, ids) ->
          Interrupted.of(
              faulty, new long[] {ids[0], 0}, Interrupted.of(faulty, new long[] {ids[0], 1})),
      "account",
      List.of(
          new Remedy(
              "Run the transactions of /refunds at SERIALIZABLE",
              refund(TRANSACTION_SERIALIZABLE, Statements.BALANCES)),
          new Remedy(
              "add FOR UPDATE to `" + Statements.BALANCES + "`",
              refund(TRANSACTION_REPEATABLE_READ, Statements.BALANCES + " FOR UPDATE"))),
      Statements.BALANCES,
      Statements.SET_BALANCE),

  FRACTURED_READ(
      AnomalyKind.FRACTURED_READ,
      report(TRANSACTION_READ_COMMITTED),
      (faulty, ids) -> Interrupted.of(faulty, ids, Interrupted.of(ShopEndpoints.MOVE, ids)),
      "stock",
      List.of(
          new Remedy(
              "Read all the rows in one statement (WHERE … IN (…)): `"
                  + ShopEndpoints.STOCK
                  + "` ran",
              reportAtOnce()),
          new Remedy(
              "Run the transactions of /report at REPEATABLE READ",
              report(TRANSACTION_REPEATABLE_READ))),
      ShopEndpoints.STOCK),

  LONG_FORK(
      AnomalyKind.LONG_FORK,
      report(TRANSACTION_READ_COMMITTED),
      (faulty, ids) ->
          Interrupted.of(
              faulty,
              ids,
              Interrupted.of(
                  faulty,
                  new long[] {ids[1], ids[0]},
                  Interrupted.of(ShopEndpoints.CHECK_OUT, first(ids)),
                  Interrupted.of(ShopEndpoints.CHECK_OUT, new long[] {ids[1]}))),
      "stock",
      List.of(
          new Remedy(
              "Run the transactions of /report at REPEATABLE READ",
              report(TRANSACTION_REPEATABLE_READ))),
      ShopEndpoints.STOCK),

  NON_REPEATABLE_READ(
      AnomalyKind.NON_REPEATABLE_READS,
      basket(TRANSACTION_READ_COMMITTED),
      (faulty, ids) ->
          Interrupted.of(faulty, first(ids), Interrupted.of(ShopEndpoints.CHECK_OUT, first(ids))),
      "stock",
      List.of(
          new Remedy("Read each row once", basketReadOnce()),
          new Remedy(
              "Run the transactions of /basket at REPEATABLE READ",
              basket(TRANSACTION_REPEATABLE_READ))),
      ShopEndpoints.STOCK,
      Statements.SHOWN);

  /**
   * A change that ends an incident.
   *
   * @param advice what the person on call has to be told
   * @param mended the endpoint once that is done
   */
  record Remedy(String advice, ShopEndpoint mended) {}

  /** Statements of faulty endpoints alone. */
  private static final class Statements {
    static final String BALANCES =
        "SELECT balance FROM account WHERE customer = ? AND kind IN (?, ?)";
    static final String SET_BALANCE =
        "UPDATE account SET balance = ? WHERE customer = ? AND kind = ?";
    static final String SHOWN = "SELECT amount, item FROM stock WHERE item = ?";
  }

  private final AnomalyKind kind;
  private final ShopEndpoint faulty;
  private final BiFunction<ShopEndpoint, long[], Interrupted> strike;
  private final String table;
  private final List<Remedy> remedies;
  private final List<String> statements;

  Incident(
      AnomalyKind kind,
      ShopEndpoint faulty,
      BiFunction<ShopEndpoint, long[], Interrupted> strike,
      String table,
      List<Remedy> remedies,
      String... statements) {
    this.kind = kind;
    this.faulty = faulty;
    this.strike = strike;
    this.table = table;
    this.remedies = List.copyOf(remedies);
    this.statements = List.of(statements);
  }

  AnomalyKind kind() {
    return kind;
  }

  /** The endpoint as it goes wrong. */
  ShopEndpoint faulty() {
    return faulty;
  }

  /** Requests that interrupt each other where the faulty endpoint cannot bear it. */
  Interrupted strike(ShopEndpoint endpoint, long[] ids) {
    return strike.apply(endpoint, ids);
  }

  String table() {
    return table;
  }

  /** What ends it, that which is to be advised first in front. */
  List<Remedy> remedies() {
    return remedies;
  }

  /** The statements that have a part in it. */
  List<String> statements() {
    return statements;
  }

  private static long[] first(long[] ids) {
    return new long[] {ids[0]};
  }

  private static ShopEndpoint stocktakeRelatively() {
    return new ShopEndpoint(
        ShopService.WAREHOUSE,
        "/stocktake",
        TRANSACTION_READ_COMMITTED,
        1,
        call -> {
          call.write("UPDATE stock SET amount = amount + 1 WHERE item = ?", call.ids()[0]);
          call.interruptible();
        });
  }

  /** Pays back from one of the two accounts of a customer what both together suffice for. */
  private static ShopEndpoint refund(int level, String read) {
    return new ShopEndpoint(
        ShopService.BILLING,
        "/refunds",
        level,
        1,
        call -> {
          long customer = call.ids()[0];
          long kind = call.ids().length > 1 ? call.ids()[1] : 0;
          List<Long> balances = call.read(read, customer, 0, 1);
          call.interruptible();
          long both = balances.get(0) + balances.get(1);
          call.write(Statements.SET_BALANCE, both / 2, customer, kind);
        });
  }

  /** Reads the stock of two items, one after the other. */
  private static ShopEndpoint report(int level) {
    return new ShopEndpoint(
        ShopService.WAREHOUSE,
        "/report",
        level,
        2,
        call -> {
          call.read(ShopEndpoints.STOCK, call.ids()[0]);
          call.interruptible();
          call.read(ShopEndpoints.STOCK, call.ids()[1]);
        });
  }

  private static ShopEndpoint reportAtOnce() {
    return new ShopEndpoint(
        ShopService.WAREHOUSE,
        "/report",
        TRANSACTION_READ_COMMITTED,
        2,
        call -> {
          call.read("SELECT amount FROM stock WHERE item IN (?, ?)", call.ids());
          call.interruptible();
        });
  }

  /** Looks whether there is any, and shows how much. */
  private static ShopEndpoint basket(int level) {
    return new ShopEndpoint(
        ShopService.STOREFRONT,
        "/basket",
        level,
        1,
        call -> {
          call.read(ShopEndpoints.STOCK, call.ids());
          call.interruptible();
          call.read(Statements.SHOWN, call.ids());
        });
  }

  private static ShopEndpoint basketReadOnce() {
    return new ShopEndpoint(
        ShopService.STOREFRONT,
        "/basket",
        TRANSACTION_READ_COMMITTED,
        1,
        call -> {
          call.read(Statements.SHOWN, call.ids());
          call.interruptible();
        });
  }
}
