/** Readers of metric exports: Prometheus' answers, scraped pages, tables with a time column. */
package io.gcdiag.read.metrics;
