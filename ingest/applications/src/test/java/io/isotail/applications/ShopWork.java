package io.isotail.applications;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.orm.ObjectOptimisticLockingFailureException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What the shop does; what it sees is the same in each run. */
@Component
class ShopWork {
  private static final int CLIENTS = 4;
  private static final int ROUNDS = 60;
  private static final int ACCOUNTS = 10;
  private static final int PRODUCTS = 6;

  private final EntityManager entities;
  private final Bookings bookings;
  private final TransactionTemplate committed;
  private final TransactionTemplate repeatable;
  private final TransactionTemplate serializable;
  private final List<String> seen = new ArrayList<>();

  ShopWork(EntityManager entities, Bookings bookings, PlatformTransactionManager manager) {
    this.entities = entities;
    this.bookings = bookings;
    this.committed = new TransactionTemplate(manager);
    committed.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    this.repeatable = new TransactionTemplate(manager);
    this.serializable = new TransactionTemplate(manager);
    serializable.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
  }

  List<String> run() throws Exception {
    stock();
    concurrently(this::transfer);
    concurrently(this::buy);
    concurrently(this::book);
    lookAtEverything();
    aStaleProductIsRefused();
    return seen;
  }

  private void stock() {
    repeatable.executeWithoutResult(
        tx -> {
          for (int i = 0; i < ACCOUNTS; i++) {
            entities.persist(new Account("owner " + i, 1_000));
          }
          for (int i = 0; i < PRODUCTS; i++) {
            Product product = new Product("product " + i, 10_000);
            entities.persist(product);
            seen.add("product " + product.id);
          }
        });
  }

  private interface Client {
    void one(Random random);
  }

  private static void concurrently(Client client) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(i);
      running.add(
          threads.submit(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  client.one(random);
                }
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    threads.shutdown();
  }

  private static <T> T retried(Supplier<T> transaction) {
    while (true) {
      try {
        return transaction.get();
      } catch (ConcurrencyFailureException e) {
        // As the application would: once more.
      }
    }
  }

  private void transfer(Random random) {
    long from = 1 + random.nextInt(ACCOUNTS);
    long to = 1 + random.nextInt(ACCOUNTS);
    long amount = random.nextInt(10);
    retried(
        () ->
            serializable.execute(
                tx -> {
                  Account source = entities.find(Account.class, from);
                  Account target = entities.find(Account.class, to);
                  source.balance -= amount;
                  target.balance += amount;
                  return true;
                }));
  }

  private void buy(Random random) {
    long account = 1 + random.nextInt(ACCOUNTS);
    long first = 1 + random.nextInt(PRODUCTS);
    long second = 1 + random.nextInt(PRODUCTS);
    int quantity = 1 + random.nextInt(3);
    retried(
        () ->
            repeatable.execute(
                tx -> {
                  Purchase purchase = new Purchase(entities.getReference(Account.class, account));
                  for (long id : new long[] {first, second}) {
                    Product product = entities.find(Product.class, id);
                    product.stock -= quantity;
                    purchase.add(product, quantity);
                  }
                  entities.persist(purchase);
                  return true;
                }));
  }

  private void book(Random random) {
    long account = 1 + random.nextInt(ACCOUNTS);
    long amount = random.nextInt(10);
    retried(
        () ->
            repeatable.execute(
                tx -> {
                  long before = bookings.balance(account);
                  Bookings.Booking booking = new Bookings.Booking(account, amount);
                  bookings.insert(booking);
                  bookings.add(account, amount);
                  if (bookings.balance(account) != before + amount) {
                    throw new IllegalStateException("the balance is not what was added up");
                  }
                  return bookings.owner(booking.id);
                }));
  }

  private void lookAtEverything() {
    repeatable.executeWithoutResult(
        tx -> {
          for (Account account :
              entities.createQuery("from Account order by id", Account.class).getResultList()) {
            seen.add(account.owner + " has " + account.balance);
          }
          int lines = 0;
          int named = 0;
          for (Purchase purchase :
              entities.createQuery("from Purchase", Purchase.class).getResultList()) {
            for (Line line : purchase.lines()) {
              lines += line.quantity;
              named += line.product().name().length();
            }
          }
          seen.add("lines of " + lines + ", names of " + named);
        });
    repeatable.executeWithoutResult(
        tx -> {
          seen.add(
              "fetched "
                  + entities
                      .createQuery(
                          "select p from Purchase p join fetch p.lines l join fetch l.product",
                          Purchase.class)
                      .getResultList()
                      .stream()
                      .mapToInt(purchase -> purchase.lines().size())
                      .sum());
          seen.add(
              "counted "
                  + entities
                      .createQuery("select count(p) from Purchase p", Long.class)
                      .getSingleResult());
        });
  }

  private void sellOne() {
    repeatable.executeWithoutResult(tx -> entities.find(Product.class, 1L).stock--);
  }

  private void aStaleProductIsRefused() {
    try {
      committed.executeWithoutResult(
          tx -> {
            Product stale = entities.find(Product.class, 1L);
            CompletableFuture.runAsync(this::sellOne).join();
            stale.stock = 0;
          });
      seen.add("the stale product was written");
    } catch (ObjectOptimisticLockingFailureException e) {
      seen.add("the stale product was refused");
    }
    Product product = repeatable.execute(tx -> entities.find(Product.class, 1L));
    seen.add("stock " + product.stock + ", version " + (product.version > 0));
  }
}
