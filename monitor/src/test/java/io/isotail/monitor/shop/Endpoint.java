package io.isotail.monitor.shop;

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
record Endpoint(ServiceName service, String route, int level, int ids, Work work) {

  /** The three services. */
  enum ServiceName {
    STOREFRONT,
    WAREHOUSE,
    BILLING;

    /** As in the settings of the driver. */
    String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** The statements of an endpoint. */
  interface Work {
    void run(Call call) throws SQLException;
  }
}
