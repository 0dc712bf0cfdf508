package io.isotail.junit.shop;

import java.sql.Connection;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** {@link Shop} without its mistakes, each mended in another way. */
@Service
class SafeShop {
  private static final int MOST_ATTEMPTS = 5;

  private final JdbcTemplate jdbc;
  private final TransactionTemplate serializable;

  SafeShop(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.serializable = new TransactionTemplate(transactions);
    this.serializable.setIsolationLevel(Connection.TRANSACTION_SERIALIZABLE);
  }

  /** A relative write with the condition in it. */
  @Transactional
  public void order(int item, int count) {
    jdbc.update("INSERT INTO safe_orders (item, count) VALUES (?, ?)", item, count);
    int hit =
        jdbc.update(
            "UPDATE safe_stock SET left_over = left_over - ? WHERE item = ? AND left_over >= ?",
            count,
            item,
            count);
    if (hit == 0) {
      throw new IllegalStateException("sold out");
    }
  }

  /** The version that was read is checked where it is written. */
  @Transactional
  public void redeem(String code, int order) {
    Integer version =
        jdbc.queryForObject(
            "SELECT version FROM safe_coupons WHERE code = ? AND NOT used", Integer.class, code);
    int hit =
        jdbc.update(
            "UPDATE safe_coupons SET used = true, used_by = ?, version = ? WHERE code = ? AND version = ?",
            order,
            version + 1,
            code,
            version);
    if (hit == 0) {
      throw new ConcurrencyFailureException("another one was quicker");
    }
  }

  /** What both decide by is locked. */
  @Transactional(propagation = Propagation.REQUIRED)
  public void goOffCall(String doctor) {
    int on =
        jdbc.queryForList("SELECT doctor FROM safe_rota WHERE on_call ORDER BY doctor FOR UPDATE")
            .size();
    if (on < 2) {
      throw new IllegalStateException("nobody else is on call");
    }
    jdbc.update("UPDATE safe_rota SET on_call = false WHERE doctor = ?", doctor);
  }

  /** Serializable, and begun again where that fails. */
  public void pay(int payer, String from, int amount) {
    for (int attempt = 1; ; attempt++) {
      try {
        serializable.executeWithoutResult(status -> payOnce(payer, from, amount));
        return;
      } catch (ConcurrencyFailureException e) {
        if (attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void payOnce(int payer, String from, int amount) {
    int together =
        number("SELECT amount FROM safe_accounts WHERE payer = ? AND kind = ?", payer, "giro")
            + number(
                "SELECT amount FROM safe_accounts WHERE payer = ? AND kind = ?", payer, "credit");
    if (together < amount) {
      throw new IllegalStateException("not enough");
    }
    jdbc.update(
        "UPDATE safe_accounts SET amount = amount - ? WHERE payer = ? AND kind = ?",
        amount,
        payer,
        from);
  }

  /** The parcel is new where it is written: the state is in the condition. */
  @Transactional(isolation = Isolation.READ_COMMITTED)
  public void ship(int parcel) {
    jdbc.queryForObject("SELECT state FROM safe_parcels WHERE id = ?", String.class, parcel);
    int hit =
        jdbc.update(
            "UPDATE safe_parcels SET state = 'shipped', carrier = 'mail' WHERE id = ? AND state = 'new'",
            parcel);
    if (hit == 0) {
      throw new IllegalStateException("is not new");
    }
  }

  /** An advisory lock on the basket. */
  @Transactional
  public void changeLine(int basket, int line, int price) {
    jdbc.query("SELECT pg_advisory_xact_lock(?)", row -> {}, basket);
    jdbc.update(
        "UPDATE safe_basket_lines SET price = ? WHERE basket = ? AND line = ?",
        price,
        basket,
        line);
    int total = number("SELECT sum(price) FROM safe_basket_lines WHERE basket = ?", basket);
    jdbc.update("UPDATE safe_baskets SET total = ? WHERE id = ?", total, basket);
  }

  private int number(String sql, Object... values) {
    Integer number = jdbc.queryForObject(sql, Integer.class, values);
    return number == null ? 0 : number;
  }
}
