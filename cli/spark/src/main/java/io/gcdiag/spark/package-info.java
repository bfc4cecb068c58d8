/** The fleet command as a job of Apache Spark: cases found by the driver, analysed by executors. */
package io.gcdiag.spark;
