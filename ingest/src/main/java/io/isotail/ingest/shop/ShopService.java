package io.isotail.ingest.shop;

import java.util.Locale;

/** One of the applications of the shop. */
public enum ShopService {
  /** Shows items, sells them, sets prices. */
  STOREFRONT,
  /** Moves, receives and counts what lies on the shelves. */
  WAREHOUSE,
  /** Charges customers. */
  BILLING;

  /** Its name, as the database and isotail are told it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
