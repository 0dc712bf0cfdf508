package io.isotail.incremental.record;

/** One record of a history's totally ordered stream. */
public sealed interface StreamRecord
    permits TransactionRecord,
        Hello,
        Heartbeat,
        Goodbye,
        Gap,
        Control,
        LogStart,
        Changes,
        LogMark {}
