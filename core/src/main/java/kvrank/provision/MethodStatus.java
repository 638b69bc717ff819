package kvrank.provision;

import kvrank.scenario.ProvisionMethod;

/**
 * Whether an engine is available by one method on this machine.
 *
 * @param method the method
 * @param available whether it can
 * @param detail what would be used (an image, an executable), or what is missing
 */
public record MethodStatus(ProvisionMethod method, boolean available, String detail) {}
