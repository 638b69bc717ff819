/** Tables as data: what stands in them, as a file of {@code tables/} or a scenario declares it. */
package kvrank.table;
