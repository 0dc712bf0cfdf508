package io.isotail.incremental.events;

import io.isotail.incremental.window.Txn;

/** A list read of a key, which shows the order of its versions. */
public record ListRead(Txn reader, long key) {}
