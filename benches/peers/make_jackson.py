"""Writes jackson.toml: 100 stations, each with four routes to random others and one out of the network.

    python make_jackson.py > jackson.toml
"""

import random

STATIONS = 100
SOURCES = 10
EXIT = 0.2
UTILIZATION = (0.3, 0.9)


def routes(generator: random.Random) -> list[list[int]]:
    """Each station's targets: the next one of a random ring, so that all are visited, and three at random."""
    ring = generator.sample(range(STATIONS), STATIONS)
    following = {station: ring[(place + 1) % STATIONS] for place, station in enumerate(ring)}

    def chosen(station: int) -> list[int]:
        others = [other for other in range(STATIONS) if other not in (station, following[station])]
        return [following[station], *generator.sample(others, 3)]

    return [chosen(station) for station in range(STATIONS)]


def main() -> None:
    """Draws the routes, solves the traffic equations and chooses service times for the wanted utilizations."""
    generator = random.Random(1)
    targets = routes(generator)
    external = [1.0 if station < SOURCES else 0.0 for station in range(STATIONS)]
    rates = list(external)
    for _ in range(1000):
        following = list(external)
        for station, chosen in enumerate(targets):
            for target in chosen:
                following[target] += rates[station] * (1 - EXIT) / len(chosen)
        rates = following
    loads = [generator.uniform(*UTILIZATION) for _ in range(STATIONS)]

    print("# An open Jackson network of 100 stations with utilizations of 0.3 to 0.9. Made by make_jackson.py.")
    print("until = 500000\nwarmup = 5000\n\nstation = [")
    for station, (load, rate) in enumerate(zip(loads, rates)):
        print(f'    {{ name = "s{station}", service = "exponential:{load / rate:.4f}" }},')
    print("]\nsource = [")
    for source in range(SOURCES):
        print(f'    {{ name = "source{source}", interval = "exponential:1", to = "s{source}" }},')
    print(']\nsink = [{ name = "out" }]\nroute = [')
    for station, chosen in enumerate(targets):
        for target in chosen:
            print(f'    {{ from = "s{station}", to = "s{target}", probability = {(1 - EXIT) / len(chosen):.1f} }},')
        print(f'    {{ from = "s{station}", to = "out", probability = {EXIT} }},')
    print("]")


if __name__ == "__main__":
    main()
