"""Addresses of visitors: read, and made out whom they stand for where visitors are counted. Pure."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
PREFIX = 64
"""Bits of an IPv6 address that name a network. Whoever is given one has 2**64 addresses in it."""


def parsed(text: str) -> Address | None:
    """Return an address, an IPv4 one also where it is written as IPv6; nothing for what is none."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def counted(text: str) -> str:
    """Return what limits count a visitor under: an IPv4 address, or the first address of the /64 of an IPv6 one."""
    address = parsed(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), PREFIX), strict=False).network_address)
    return text if address is None else str(address)
