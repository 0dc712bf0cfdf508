package io.isotail.ingest.shop;

import java.sql.SQLException;

/**
 * What a service does for one kind of request, in one transaction.
 *
 * @param service which of the services
 * @param route its name in the comments of its statements
 * @param level of its transaction, a constant of {@link java.sql.Connection}
 * @param ids how many items or customers a request is about
 * @param work its statements
 */
public record ShopEndpoint(ShopService service, String route, int level, int ids, Work work) {

  /** The statements of an endpoint. */
  public interface Work {
    /** Runs them in the transaction of a request. */
    void run(ShopRequest request) throws SQLException;
  }
}
